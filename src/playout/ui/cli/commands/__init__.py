"""The commands of `playout`: each is a file of its name, whose command has it as well.

`main.py` finds them, so that a new one is a new file here. What they import by
themselves is light: Numba is loaded when a command has understood its arguments.
"""
