"""Other people's rules as games: objects that know nothing of Playout."""
