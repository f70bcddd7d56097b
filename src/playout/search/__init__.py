"""The search: the tree, a folder for each phase, and the driver."""
