"""Values of arguments and options: likely ones, and odd ones."""

#: Three cells in a row, two neighbours win; see `tests.ui.support`.
LINE = "mnk:m=1,k=2"
GAMES = [*["tic-tac-toe"] * 12, *[LINE] * 12, "connect-four", "mnk:k=3", "pig", "2048"]
GAMES += ["gomoku:size=9,rule=renju", "ultimate-tic-tac-toe:variant=count"]
GAMES += ["phantom-tic-tac-toe", "line-three", "rules.py:Nim", "rules.py:Nim:stones=5"]
PLAYERS = [*["random", "greedy", "mcts:simulations=5"] * 3, "human", "mcts", "level:1"]
PLAYERS += ["level:9", "mcts:preset=tiny", "mcts:blunder=0.5", "perfect", "exec:"]
PLAYERS += ["negamax:depth=2", "alphabeta:depth=2", "exec:./no-such-engine"]
PLAYERS += [
    "players.py:good",
    "players.py:crash",
    "players.py:missing",
    "mcts:c_uct=-1",
]
FILES = ["games.db", "damaged.db", "empty.db", "missing.db", "league.toml", "folder"]
FILES += ["openings.txt", "folder/new.db", "missing/new.db", "picture.png", "new.jsonl"]
FILES += ["levels.toml", "games.psq", "-", ".", "folder/", "tree.dot"]
PICTURES = [*["new.png", "new.svg", "folder/new.svg"] * 2, "missing/new.svg"]
PICTURES += ["folder.svg", "new.pdf"]
MOVES = [
    "",
    "b1",
    "b2",
    "b2 a1",
    "a1 b1 a2 b2 a3",
    "4 4 4",
    "444",
    "h8 i9",
    "99",
    "b2b2",
]
MOVES += [".X. O", "... X", "XXX/OO./... O", ".../.../... X", "pass", "roll"]
CLOCKS = ["1+0.1", "0.5", "1+1", "0+0", "1+", "+1", "1e3+1e-3", "-1+1", "nan+nan"]
FEW = ["2", "2", "2", "2", "3", "4", "1"]

#: Likely values by the name or the metavar of a parameter that takes a text.
TEXTS = {
    **dict.fromkeys(("GAME", "[GAME]...", "game"), GAMES),
    **dict.fromkeys(("A", "B", "SPEC", "PLAYER", "[PLAYER]..."), PLAYERS),
    **dict.fromkeys(("B+I", "BASE+INC"), CLOCKS),
    "FILE": [*["games.db"] * 20, *FILES],
    "FILE.toml": [*["league.toml"] * 20, "levels.toml", *FILES],
    "FILE.db": [*["new.db", "games.db", "folder/new.db"] * 6, *FILES],
    "TARGET": [*["new.jsonl", "new.sgf", "-"] * 6, *FILES],
    "plot": PICTURES,
    "tree_file": ["new.json", "new.dot", "new.svg", "folder.dot", "missing/new.dot"],
    "TEXT": MOVES,
    "P": ["tiny", "fachada", "tutorial"],
    "F": [*["jsonl"] * 6, "sgf", "psq", "pos", "columns"],
    "H": ["127.0.0.1", "::1", "localhost", "256.0.0.1", "a..b", "é" * 70, "1.2"],
    "WHERE": [*["local"] * 6, "ray", "ray:", "ray:auto"],
    "RULE": ["draw:moves=2,score=0.05,after=3", "resign:moves=1,score=0.9"],
    "FILE|random:plies=N": ["random:plies=1", "random:plies=99", "openings.txt"],
    "elo0=0,elo1=10": ["elo0=0,elo1=10", "elo1=5,alpha=0.3", "elo0=-400,elo1=400"],
    "NAME=LOW..HIGH...": ["c_uct=0.3..2.0", "c_uct=0.1..4:log", "threshold=1..8"],
}
#: The same for numbers, so small that a case ends soon.
SMALL = {
    "simulations": ["1", "3", "10"],
    "seconds": ["0.01", "0.02"],
    "most": ["50", "60"],
    "base": ["2", "5"],
    "delay": ["0", "0.01"],
    "count": ["2", "3"],
    "step": ["80", "130"],
    "start": ["0", "0.1", "0.9"],
    "port": ["0", "0", "1"],
    **dict.fromkeys(("games", "probe", "per_trial"), FEW),
}
#: Those that are nearly always given, for without them a case would not end soon.
LIMITS = ("simulations", "seconds", "games", "count", "probe", "per_trial", "most")

#: What is not likely, for whole numbers, numbers and texts. No device, and nothing that
#: starts at the root: a case writes where it is run.
WHOLE = ["0", "1", "2", "5", "-1", "-0", "+2", "007", "1_0", "٣", "½", " 4", "0x10"]
WHOLE += ["2147483648", "4294967296", str(2**63 - 1), str(2**63), str(2**64), "1e3"]
WHOLE += ["9" * 30, "9" * 5000, "nan", "2.5", "-" + "9" * 30]
NUMBERS = [*WHOLE, "0.01", ".5", "5.", "1e-9", "1e-400", "1e-320", "1e308", "1e999"]
NUMBERS += ["inf", "-inf", "nan", "Infinity", "-0.0", "1e6"]
ODD = [*["", "", ""], " ", "\t", "\n", "-", "--", "-x", "--x", "=", ":", ",", "..", "."]
ODD += [
    "~",
    "0",
    "None",
    "null",
    "true",
    "é",
    "日本",
    "🎲",
    "\u202e",
    "\udcff",
    "\x1b[31m",
]
ODD += ["\x85", "a" * 300, "a" * 5000, "%s{}", "'", '"', "\\", "*", "random:", "mcts:"]
ODD += ["exec:", "level:", "x.py:", "rules.py:", "tic-tac-toe:", "a=b", "-1", "a,b"]
ODD_BY_TYPE = {"integer": WHOLE, "float": NUMBERS}
#: Signs of our own texts and others, without the one that separates folders.
SIGNS = "abcxyzABC0123456789.:,=+- _#*\t\n\\'\"{}%é٣日🎲\udcff\x1b\u200b"
