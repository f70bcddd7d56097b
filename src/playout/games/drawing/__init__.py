"""Boards as people see them, in text and as pictures."""
