"""Other people's rules as games: plain objects, and other packages' environments."""
