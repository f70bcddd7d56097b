"""Everyone who can sit at the board: people, programs, engines of other makers."""
