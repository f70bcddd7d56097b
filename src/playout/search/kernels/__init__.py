"""The drivers: one simulation, and several threads, graphs and information sets."""
