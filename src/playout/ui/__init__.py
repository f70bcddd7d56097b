"""The faces: command line (later terminal board, browser, notebook)."""
