"""Solver: what is known for sure of a node."""
