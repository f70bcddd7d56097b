"""`from_object`: a class of each convention, unchanged, as a game.

Also of `adapters/game.py`, `adapters/store.py`, `adapters/contents.py` and
`adapters/actions.py`.
"""

import gc
import itertools
import pickle

import numpy as np
import pytest

from playout import (
    MCTS,
    ConnectFour,
    Limit,
    Position,
    TicTacToe,
    Unsolved,
    UsageError,
    check_game,
    make_game,
    perft,
)
from playout.adapters.objects import from_object
from playout.core.jit.compiled import compiled_type
from playout.core.jit.native import NotCompiledError, kernel, only_loading
from playout.players.registry import make_player
from tests.adapters.agreement import expect_agreement
from tests.adapters.classes import (
    EVERY,
    Columns,
    McsAi,
    MctsPy,
    MoversTutorial,
    Tutorial,
    Undone,
)
from tests.ui.support import output_of, run
from tests.ui.web.support import client, new_table, play

FILE = "tests/adapters/classes.py"
#: The leaves of the tree of all games of tic-tac-toe, by depth.
LEAVES = [9, 72, 504, 3024]


@pytest.fixture(scope="module")
def games():
    return {cls: from_object(cls) for cls in EVERY}


@pytest.mark.parametrize("cls", EVERY)
def test_what_is_found_out(games, cls):
    game = games[cls]
    convention, reward, names = EVERY[cls]
    assert (game.convention, game.reward) == (convention, reward)
    assert convention in game.reading
    position = Position(game)
    assert [game.action_name(a) for a in position.legal_actions()][:2] == names
    assert [perft(game, depth) for depth in (1, 2, 3)] == LEAVES[:3]


@pytest.mark.parametrize("cls", EVERY)
def test_a_line_wins_for_who_has_it(games, cls):
    for cells, winner in (([0, 3, 1, 4, 2], 0), ([0, 3, 1, 4, 8, 5], 1)):
        position = Position(games[cls])
        for cell in cells:  # the n-th cell is the n-th action, or that of a player
            x, y = divmod(cell, 3)
            wanted = {f"{x},{y}", f"({x},{y})", f"{cell}"}
            legal = map(games[cls].action_name, position.legal_actions())
            position.play(next(n for n in legal if n in wanted or f"x:{x}y:{y}v" in n))
        assert position.is_terminal
        assert position.returns(winner) == 1.0
        assert position.returns(1 - winner) == -1.0


@pytest.mark.parametrize("cls", EVERY)
def test_tic_tac_toe_is_proven_drawn(games, cls):
    """The tree is compiled and asks the object once or twice for each state."""
    result = MCTS(games[cls], seed=1).search(limit=Limit(simulations=40_000))
    assert result.stopped_by == "proven"
    assert result.proven == "draw"


def test_nobody_beats_it():
    """Against all play of the opponent, in both seats."""
    game = make_game(f"{FILE}:Tutorial")
    search = MCTS(game, seed=1)
    search.search(limit=Limit(simulations=20_000))  # states are known from then on
    for seat in (0, 1):
        for position in _all_games(game, search, seat):
            assert position.returns(seat) >= 0.0, position.moves


def _all_games(game, search, seat):
    """Every game in which one seat is the search's."""
    open_ = [Position(game)]
    while open_:
        position = open_.pop()
        if position.is_terminal:
            yield position
        elif position.current_player == seat:
            if len(position.actions) < 2:
                answer = search.search(position, Limit(simulations=3000)).action
            else:
                answer = search.search(position, Limit(simulations=300)).action
            open_.append(position.copy().play(answer))
        else:
            open_ += [position.copy().play(a) for a in position.legal_actions()]


def test_objects_have_their_names_and_share_compiled_code(games):
    one, other = games[Tutorial], games[MctsPy]
    assert [type(game).__name__ for game in (one, other)] == ["Tutorial", "MctsPy"]
    types = [compiled_type(game) for game in (one, other)]
    assert types[0] == types[1]
    with only_loading(), pytest.raises(NotCompiledError, match="kernel has yet"):
        unused.compile(one)


def test_python_seldom_looks_for_garbage_while_an_object_is_searched():
    seen = set()

    class Noting(Tutorial):
        def get_legal_actions(self):
            seen.add(gc.get_threshold())
            return super().get_legal_actions()

    search, before = MCTS(from_object(Noting), seed=1), gc.get_threshold()
    search.compile()
    seen.clear()
    try:
        gc.set_threshold(700, 10, 10)  # as Python begins; tests may run with others
        search.search(limit=Limit(simulations=20))
        assert gc.get_threshold() == (700, 10, 10)
    finally:
        gc.set_threshold(*before)
    assert min(seen) > (700, 10, 10)


@kernel
def unused(game):
    """What nobody has compiled."""
    return game.num_players() + 12345


def test_the_laws_hold():
    check_game(from_object(McsAi), games=8)


def test_the_same_seed_gives_the_same_tree_whatever_is_known_before():
    def tree(game):
        search = MCTS(game, seed=3)
        return search.search(limit=Limit(simulations=500)).to_dict()["actions"]

    game = from_object(Tutorial)
    first = tree(game)
    MCTS(game, seed=4).search(limit=Limit(simulations=500))
    assert tree(game) == first == tree(from_object(Tutorial))


def test_compiled_and_interpreted_give_the_same_tree():
    game = from_object(McsAi)
    limit = Limit(simulations=60)
    results = [
        MCTS(game, seed=2, interpreted=way).search(limit=limit) for way in (False, True)
    ]
    one, two = ([(a.move, a.visits, a.mean) for a in r.actions] for r in results)
    assert one == two


def test_states_are_forgotten_and_found_again():
    """With room for few states, the search is the same as with room for all."""
    game, other = from_object(Tutorial), from_object(Tutorial)
    few = type(other.store)(other.store.plan, other.store.numbers, most_states=300)
    small = type(other)(few)
    position = Position(small).play("1,1").play("0,0")
    trees = [
        MCTS(g, seed=1).search(limit=Limit(simulations=3000)) for g in (game, small)
    ]
    visits = [[a.visits for a in tree.actions] for tree in trees]
    assert visits[0] == visits[1]
    assert few.stamp[0] != position.state.stamp  # all was forgotten meanwhile
    assert position.moves == ["1,1", "0,0"]
    assert len(position.legal_actions()) == 7
    assert "[-1, 0, 0]" in position.render()


def test_several_threads_and_trees_search_an_object():
    game = from_object(Tutorial)
    limit = Limit(simulations=2000)
    for options in ({"threads": 3}, {"trees": 2}):
        result = MCTS(game, seed=1, **options).search(limit=limit)
        assert result.simulations >= 2000 or result.stopped_by == "proven"


def test_threads_search_on_where_all_is_forgotten_meanwhile():
    """A state that a thread has stored may be dropped before the thread reads it."""
    game = from_object(Tutorial)
    few = type(game.store)(game.store.plan, game.store.numbers, most_states=40)
    before = few.stamp[0]
    for seed in range(4):
        search = MCTS(type(game)(few), seed=seed, threads=4, solver=Unsolved())
        result = search.search(limit=Limit(simulations=2000))
        assert result.simulations >= 2000
        assert {each.move for each in result.actions} == {
            f"{i},{j}" for i in range(3) for j in range(3)
        }
    assert few.stamp[0] > before + 100


def test_positions_are_written_as_moves():
    game = from_object(MctsPy)
    position = Position.from_moves(game, ["x:1y:1v:1", "x:0 y:0 v:-1"])
    text = position.to_text()
    assert text == "x:1y:1v:1 x:0y:0v:-1"
    assert Position(game, text).array[0] == position.array[0]
    assert Position(game).to_text() == "-"
    assert np.array_equal(game.store.state(1).board, np.zeros((3, 3)))


@pytest.mark.parametrize("cls", [Tutorial, MoversTutorial, Undone])
def test_the_object_of_a_state_and_its_own_actions(games, cls):
    """For users' players and evaluators, who know the class and not what is kept."""
    game = games[cls]
    position = Position(game).play("1,2").play("0,0")
    places = [tuple(game.action_of(number)) for number in position.actions]
    assert places == [(1, 2), (0, 0)]
    for _ in range(2):
        assert game.object_of(position.state).board == [[-1, 0, 0], [0, 0, 1], [0] * 3]
        game.object_of(Position(game).state)


@pytest.mark.parametrize("text", ["1,2", "1, 2", "(1, 2)", "[1,2]"])
def test_tuples_may_be_written_as_python_writes_them(games, text):
    assert games[Tutorial].parse_action(text) == games[Tutorial].parse_action("1,2")
    assert Position.from_moves(games[Tutorial], ["(1, 2)", "0,0"]).moves == [
        "1,2",
        "0,0",
    ]


@pytest.mark.parametrize("text", ["x:1y:1v:-1", "nonsense", "x:1y:1v:1 x:1y:1v:-1"])
def test_a_text_that_is_no_position(text):
    with pytest.raises(UsageError, match="cannot be played"):
        Position(from_object(MctsPy), text)


def test_an_object_goes_to_another_process():
    game = pickle.loads(pickle.dumps(from_object(McsAi)))
    assert game.convention == "mcts.ai's"
    assert perft(game, 2) == 72


class Counting(Tutorial):
    """It notes how often it was asked."""

    asked = 0

    def get_legal_actions(self):
        self.asked += 1
        return super().get_legal_actions()


class Drawn(Tutorial):
    """Nobody has the first cell, or the next one, and so on."""

    cells = itertools.cycle(range(3))

    def __init__(self):
        super().__init__()
        self.board[0][next(Drawn.cells)] = 2


def test_a_start_that_is_drawn_is_told_and_the_same_in_other_processes():
    game = from_object(Drawn)
    assert game.reading.endswith("; the start is drawn, another one each time")
    assert "is drawn" not in from_object(Counting).reading
    drawn = Position(game).legal_actions()
    assert Position(pickle.loads(pickle.dumps(game))).legal_actions() == drawn


def test_who_has_given_a_state_may_play_on_with_it():
    state = McsAi()
    game = from_object(state)
    state.DoMove(4)
    for one in (game, pickle.loads(pickle.dumps(game))):
        assert perft(one, 1) == 9


@pytest.mark.parametrize("cls", EVERY)
def test_analyze(cls):
    answer = output_of(
        *("analyze", f"{FILE}:{cls.__name__}", "--simulations", "300", "--seed", "1")
    )
    assert "simulations" in answer


def test_a_match():
    spec = f"{FILE}:Undone"
    said = output_of(
        *("match", spec, "mcts:simulations=400", "random", "--games", "4"),
        *("--seed", "1", "--concurrency", "1"),
    )
    assert " 0 lost" in said


def test_a_person_plays_in_the_terminal():
    result = run(
        "play", f"{FILE}:McsAi", "random", "--first", "--plain", typed="4\nquit\n"
    )
    assert result.exit_code == 0, result.output
    assert "X" in result.stdout


def test_the_page():
    spec = f"{FILE}:McsAi"
    with client(games={spec: make_game(spec)}) as requests:
        state = new_table(requests, spec)
        state = play(requests, state, "4", "0", "1", "2", "7")
    assert state["outcome"]["winner"] == 0


def test_a_player_is_made_for_it():
    game = from_object(Undone)
    player = make_player("mcts:simulations=200", game)
    assert player is not None


def test_tic_tac_toe_of_a_tutorial_agrees_with_our_own():
    """After two moves, where seven cells are left."""
    ours = [f"{column}{row}" for row in (3, 2, 1) for column in "abc"]
    theirs = [f"{row},{column}" for row in range(3) for column in range(3)]
    named = dict(zip(ours, theirs, strict=True))
    path = ["b2", "a1"]
    rest = {move: name for move, name in named.items() if move not in path}
    game = from_object(Tutorial)
    expect_agreement((TicTacToe(), path), (game, [named[m] for m in path]), rest)


def test_connect_four_as_lists_agrees_with_our_own():
    game = from_object(Columns)
    numbers = {str(column + 1): str(column) for column in range(7)}
    expect_agreement((ConnectFour(), []), (game, []), numbers, searches=20)
