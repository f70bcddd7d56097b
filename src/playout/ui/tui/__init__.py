"""The full-screen board in a terminal, by Textual."""
