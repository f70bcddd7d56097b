"""What several faces need: words for people, sizes, messages."""
