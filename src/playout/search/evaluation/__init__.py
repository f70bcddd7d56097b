"""Evaluators: Python callables that say what the states at leaves are worth."""
