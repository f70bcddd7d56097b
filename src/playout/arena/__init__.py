"""Games between players: clocks, matches, statistics, and the store of games."""
