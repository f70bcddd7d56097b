"""Rollout: how a game is played to its end from a leaf."""
