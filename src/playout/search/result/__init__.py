"""What a search found, for people and for programs."""
