"""The search: the tree, one file for each phase, and the driver."""
