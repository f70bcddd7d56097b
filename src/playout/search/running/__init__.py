"""One search from its first to its last simulation: limits, threads, what is kept."""
