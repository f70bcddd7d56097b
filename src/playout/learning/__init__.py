"""Networks that learn a game by playing against themselves."""
