"""Games as they are played: positions, dice, random games, counts."""
