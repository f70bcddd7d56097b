"""Players: the search, baselines, functions, and engines of other makers."""
