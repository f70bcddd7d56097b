"""The contract: what a game is, and the laws it keeps."""
