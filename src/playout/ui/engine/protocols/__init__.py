"""The protocols that Playout speaks as an engine: each is a file of its name."""
