"""The faces: command line, terminal board, browser, notebook, and engine."""
