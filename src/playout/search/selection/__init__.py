"""Selection: which child a simulation goes on to."""
