"""Expansion: which children a leaf is given."""
