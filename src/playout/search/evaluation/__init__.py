"""Evaluators: they judge leaves instead of rollouts, in Python or compiled."""
