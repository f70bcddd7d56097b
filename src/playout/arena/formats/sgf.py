"""SGF, the Smart Game Format FF[4], for Gomoku, which it calls game 4.

    (;FF[4]GM[4]SZ[15]RU[freestyle]PB[mcts]PW[level:3]RE[B+]TE[rules]
    ;B[hh];W[ih]C[12ms];B[hi]C[8ms depth 4])

Cells are two letters, column and row from `aa` at the upper left. As c-gomoku-cli does,
a comment begins with the time of the move, and TE, which is no property of the
standard, holds the reason of the end. `ON[4 given moves]` tells the opening. Where a
file has variations, the first is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...core.errors import UsageError
from ...games.gomoku.rules import RULES as RULE_NAMES
from ...games.gomoku.rules import Gomoku, on_board
from ...games.registry import game_spec
from ...protocols.gomocup import RULES as RULE_NUMBERS
from ..record import REASONS, GameRecord
from .place import UNKNOWN, Place, game_of, make_record, replay, result_of
from .sgf_tree import Node, read_trees

__all__ = ["read", "write"]

#: Gomoku among the games of the standard.
GAME_NUMBER = "4"
_ENDINGS = {"resignation": "R", "time": "T", "rules": ""}
_TIMES = re.compile(r"(\d{1,12})ms(?: |$)", flags=re.ASCII)
#: What other programs call the ends of games, as parts of words in TE.
_WORDS = {
    "time": "time",
    "illegal": "illegal move",
    "forbid": "illegal move",
    "crash": "crash",
    "disconnect": "crash",
    "stall": "crash",
}
#: Properties that put stones on the board, or take them away, without a move.
_SETTING_UP = ("AB", "AW", "AE")


def write(records: Iterable[GameRecord]) -> str:
    """The games as one collection.

    Raises:
        UsageError: a game that is not Gomoku.
    """
    return "".join(map(_write_game, records))


def _write_game(record: GameRecord) -> str:
    game = game_of(record, Gomoku, "sgf")
    assert isinstance(game, Gomoku)
    root = {
        "FF": "4",
        "CA": "UTF-8",
        "GM": GAME_NUMBER,
        "SZ": _write_size(game),
        "RU": game.rule,
        "PB": record.players[0],
        "PW": record.players[1],
        "DT": record.started[:10],
        "ON": f"{record.opening} given moves" if record.opening else "",
        "RE": _write_result(record),
        "TE": record.reason,
        "GC": record.detail,
    }
    nodes = [_write_node({name: value for name, value in root.items() if value})]
    for number, move in enumerate(record.moves):
        row, column = divmod(game.parse_action(move), game.width)
        node = {"BW"[number % 2]: _letter(column) + _letter(row)}
        if number >= record.opening:
            spent = f"{1000 * record.seconds[number]:.0f}ms"
            remark = record.comments[number]
            node["C"] = f"{spent} {remark}" if remark else spent
        nodes.append(_write_node(node))
    return "(" + "\n".join(nodes) + ")\n"


def _write_node(properties: dict[str, str]) -> str:
    return ";" + "".join(f"{name}[{_escape(v)}]" for name, v in properties.items())


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _write_result(record: GameRecord) -> str:
    black, white = record.returns
    if black == white:
        return "0"
    winner = "B" if black > white else "W"
    return f"{winner}+{_ENDINGS.get(record.reason, 'F')}"


def _letter(index: int) -> str:
    return chr(ord("a") + index)


# -- reading ---------------------------------------------------------------------------


def read(text: str, place: Place) -> list[GameRecord]:
    """The games of a text."""
    return [_read_game(nodes, place) for nodes in read_trees(text, place)]


def _read_game(nodes: Sequence[Node], place: Place) -> GameRecord:
    root = nodes[0]
    here = place.at(root.line)
    game = _read_rules(root, here)
    for node in nodes:
        if found := [name for name in _SETTING_UP if node.has(name)]:
            place.at(node.line).fail(
                f"{found[0]} sets up stones; only moves from an empty board are read"
            )
    moves = [node for node in nodes if node.has("B") or node.has("W")]
    actions = [
        (_read_move(node, "BW"[number % 2], game, place.at(node.line)), node.line)
        for number, node in enumerate(moves)
    ]
    position = replay(game, [(action, place.at(line)) for action, line in actions])
    by_rules, written = result_of(position), _read_result(root, here)
    returns = by_rules or written
    if returns is None:
        returns = here.no_result(
            "the game is not over, and RE does not tell its result"
        )
    if written is not None and by_rules not in (None, written):
        here.fail(f"RE[{root.get('RE')}] is not the result of these moves")
    given = re.fullmatch(r"(\d{1,4}) given moves", root.get("ON"))
    times, remarks = zip(*map(_read_comment, moves), strict=True) if moves else ((), ())
    return make_record(
        game_spec(game),
        position,
        returns,
        _read_reason(root, by_rules is not None, any(returns)),
        players=(root.get("PB") or UNKNOWN, root.get("PW") or UNKNOWN),
        opening=min(int(given[1]), len(moves)) if given else 0,
        seconds=times,
        comments=remarks,
        detail=root.get("GC"),
        started=root.get("DT"),
    )


def _write_size(game: Gomoku) -> str:
    """The board's size as SGF has it, with a colon where it is not square."""
    if game.width == game.height:
        return str(game.width)
    return f"{game.width}:{game.height}"


def _read_rules(root: Node, place: Place) -> Gomoku:
    number = root.get("GM", "1")
    if number.strip() != GAME_NUMBER:
        place.fail(f"GM[{number}] is not Gomoku, which is GM[{GAME_NUMBER}]")
    rule = root.get("RU", "freestyle").strip().lower()
    if rule.isdecimal() and rule.isascii():
        rule = RULE_NUMBERS.get(int(rule), rule)
    if rule not in RULE_NAMES:
        place.fail(f"RU[{rule[:40]}] is not a rule; rules are {', '.join(RULE_NAMES)}")
    size = root.get("SZ", "15").strip()
    found = re.fullmatch(r"(\d{1,2})(?::(\d{1,2}))?", size, flags=re.ASCII)
    if found is None:
        place.fail(f"SZ[{size[:40]}] is not a size such as 15, or columns:rows")
    columns, rows = int(found[1]), int(found[2] or found[1])
    try:
        return on_board(rows, columns, rule)
    except UsageError as error:
        place.fail(str(error))


def _read_move(node: Node, color: str, game: Gomoku, place: Place) -> int:
    if not node.has(color) or (node.has("B") and node.has("W")):
        place.fail(f"a move of {'Black' if color == 'B' else 'White'} is due here")
    cell = node.get(color).strip()
    column, row = (
        (ord(letter) - ord("a") for letter in cell) if len(cell) == 2 else (-1, 0)
    )
    if not (0 <= column < game.width and 0 <= row < game.height):
        last = _letter(game.width - 1) + _letter(game.height - 1)
        place.fail(f"{color}[{cell[:40]}] is not a cell; cells are aa to {last}")
    return row * game.width + column


def _read_comment(node: Node) -> tuple[float, str]:
    comment = node.get("C")
    match = _TIMES.match(comment)
    if match is None:
        return 0.0, comment
    return int(match[1]) / 1000, comment[match.end() :]


def _read_result(root: Node, place: Place) -> tuple[float, float] | None:
    text = root.get("RE").strip()
    if text.startswith(("B+", "W+")):
        return (1.0, -1.0) if text[0] == "B" else (-1.0, 1.0)
    if text.lower() in ("0", "draw"):
        return 0.0, 0.0
    if text not in ("", "?", "Void"):
        place.fail(f"RE[{text[:40]}] is not a result such as B+, W+R or 0")
    return None


def _read_reason(root: Node, over: bool, decided: bool) -> str:
    """The reason as we write it, or what another program's words come closest to."""
    text = root.get("TE").strip()
    if text in REASONS:
        return text
    if over:
        return "rules"
    if not decided:
        return "adjudicated draw"
    if root.get("RE").strip().upper().endswith("+T"):
        return "time"
    found = (reason for word, reason in _WORDS.items() if word in text.lower())
    return next(found, "resignation")
