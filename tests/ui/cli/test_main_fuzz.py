"""No input gives a traceback: whatever is typed, the exit code is 0 or 2."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ui.support import LINE, run

GAMES = ("tic-tac-toe", LINE, "connect-four", "ultimate-tic-tac-toe", "gomoku")

#: What a command line or a line of input may hold: anything but surrogates.
anything = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)
#: Texts made of the parts that ours are made of, which come further than noise.
PARTS = [*GAMES, *"abcXO.#/:,=+- 0123456789", "rows", "rule", "size", "renju", ".py:"]
likely = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)
text = st.one_of(anything, likely)
cells = st.sampled_from(
    ["a1", "b1", "c1", "a2", "b2", "c3", "h8", "i9", "4", "e5", "b9", "d3e", "99"]
)
moves = st.one_of(text, st.lists(cells, max_size=9).map(" ".join))
games = st.sampled_from(GAMES)

fuzz = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def accept(*arguments: str, typed: str | None = None) -> None:
    """Run a command, which must end well or refuse its input in one line."""
    result = run(*arguments, typed=typed)
    assert result.exit_code in (0, 2), result.output
    if result.exit_code == 2:
        last = result.stderr.splitlines()[-1]
        assert last.startswith("playout: error: ")
        assert last.isprintable()


@fuzz
@given(text)
def test_any_game(spec):
    accept("perft", "--", spec, "0")


@fuzz
@given(st.sampled_from(["mnk", "gomoku", "connect-four"]), text)
def test_any_parameters(name, parameters):
    accept("perft", "--", f"{name}:{parameters}", "0")


@fuzz
@given(games, moves)
def test_any_moves(game, text):
    accept("perft", game, "0", "--moves", text)


@fuzz
@given(games, moves)
def test_any_position(game, text):
    accept("perft", game, "0", "--position", text)


@fuzz
@given(moves, st.booleans())
def test_any_analysis(text, as_position):
    option = "--position" if as_position else "--moves"
    flags = ["--simulations", "3", "--json"]
    accept("analyze", LINE, option, text, *flags)


#: Limits that are valid end at once, whatever else they are.
small = st.one_of(
    anything.filter(lambda t: not t.strip().isdecimal()),
    st.integers(-10, 50).map(str),
    st.sampled_from(["nan", "-inf", "-0", "0.0", "1e-9", "0.01", "1_0", "٣", "1e-400"]),
)


@fuzz
@given(small, st.sampled_from(["--simulations", "--seconds"]))
def test_any_limit(value, option):
    if option == "--seconds":
        accept("analyze", LINE, option, value, "--simulations", "3")
    else:
        accept("analyze", LINE, option, value, "--seconds", "0.01")


@fuzz
@given(anything, anything)
def test_any_seed_and_preset(seed, preset):
    accept("analyze", LINE, "--simulations", "3", "--seed", seed, "--preset", preset)


typed = st.one_of(
    text,
    st.sampled_from(
        ["undo", "hint", "moves", "board", "log", "help", "quit", "y", "n"]
    ),
    cells,
)


@fuzz
@given(st.lists(typed, max_size=12), st.booleans())
def test_any_conversation(lines, second):
    side = "--second" if second else "--first"
    arguments = ["--simulations", "3", "--seed", "1", side]
    accept("play", LINE, *arguments, typed="\n".join(lines))


@fuzz
@given(st.lists(text, max_size=4))
def test_any_command_line(arguments):
    accept(*arguments)
