"""Playout as an engine: one loop for each protocol."""
