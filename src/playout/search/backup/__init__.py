"""Backup: what the nodes on the path learn from a result."""
