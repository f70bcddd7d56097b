"""Rules: the contract, the games, and what tests them."""
