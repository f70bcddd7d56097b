"""Go, by area scoring and positional superko."""
