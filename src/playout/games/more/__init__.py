"""Games of other kinds: chance, one player, three players, hidden information."""

#: name -> (module, class)
GAMES = {
    "pig": ("pig", "Pig"),
    "line-three": ("line_three", "LineThree"),
    "2048": ("game_2048", "Game2048"),
    "tsp": ("tsp", "Tour"),
    "samegame": ("samegame", "SameGame"),
    "phantom-tic-tac-toe": ("phantom", "PhantomTicTacToe"),
    "othello": ("othello", "Othello"),
    "breakthrough": ("breakthrough", "Breakthrough"),
    "hex": ("hex", "Hex"),
    "kuhn-poker": ("kuhn", "KuhnPoker"),
    "dots-and-boxes": ("dots_and_boxes", "DotsAndBoxes"),
    "leduc-poker": ("leduc", "LeducPoker"),
}
