"""The tree: one array of nodes."""
