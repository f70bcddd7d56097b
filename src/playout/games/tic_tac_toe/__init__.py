"""Tic-tac-toe, and every m,n,k-game."""
