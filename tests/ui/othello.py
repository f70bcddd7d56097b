"""Moves of Othello that the page and the terminal are tried with."""

#: After these moves of Othello, Black has no move and must pass.
A_PASS_IS_FORCED = "d3 c3 e6 d2 d1 e1 b2 c1"
