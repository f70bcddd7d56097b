"""Games of other kinds: chance, one player, three players, hidden information."""
