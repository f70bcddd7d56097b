"""Rules that fail in a match: no player loses by them, and the error names them.

Also of `arena/blame.py`.
"""

import dataclasses
import math
import re
from pathlib import Path

import pytest

from playout.arena import executors
from playout.arena.clock import TimeControl
from playout.arena.executors import LocalExecutor
from playout.arena.match import Match, MatchSettings, play_matches
from playout.arena.session import Conduct, Session
from playout.arena.store import Store
from playout.arena.task import GameTask
from playout.core.errors import RulesError
from playout.games.registry import make_game
from playout.players.function import FunctionPlayer
from playout.players.player import Decision, Player
from playout.players.registry import make_player
from tests.toys import Nim
from tests.ui.support import error_of

HERE = Path(__file__).parent
RULES = f"{HERE / 'bad_rules.py'}:Fails"
GOOD = f"{HERE / 'bad_players.py'}:good"
#: Short where nothing but patience ends a game.
CONDUCT = Conduct(tolerance=0.1, grace=0.4, patience=1.0)


@pytest.fixture(scope="module")
def executor():
    with LocalExecutor() as shared:
        yield shared


def task(how, *players):
    spec = f"{RULES}:how={how}"
    players = players or (GOOD, GOOD)
    time = TimeControl(seconds=5)
    return GameTask("", 0, spec, players, (0, 1), time=time, conduct=CONDUCT)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("raises", r"bad_rules\.py line \d+.*ZeroDivisionError: so far.* moves 1 1$"),
        ("leaves", r"bad_rules\.py line \d+.*SystemExit: 3.* moves 1 1$"),
        ("vanishes", r"Fails:how=vanishes failed, after the moves 1 1 .*exit code 7"),
    ],
)
def test_rules_that_fail_between_moves_end_the_match(executor, how, message):
    executor.submit(task(how))
    with pytest.raises(RulesError, match=message):
        executor.wait(60)
    executor.submit(GameTask("", 0, "tic-tac-toe", (GOOD, GOOD), (0, 1)))
    ((_, record),) = executor.wait(30)
    assert record.reason == "rules"


class NoNumber(Nim):
    def returns(self, state, player):
        return math.nan


class Alike(Nim):
    def action_name(self, action):
        return "take"


@pytest.mark.parametrize(("rules", "law"), [(NoNumber, 4), (Alike, 7)])
def test_a_game_that_cannot_be_counted_or_kept_ends_the_match(rules, law):
    """Players that never search had played it with nobody looking at the laws."""
    game = rules(stones=4)
    players = [make_player("random", game) for _ in range(2)]
    with pytest.raises(
        RulesError, match=rf"{rules.__name__} breaks law {law}: .* moves"
    ):
        Session(game, players).run()


def test_rules_that_do_not_come_back(monkeypatch):
    monkeypatch.setattr(executors, "RULES_SECONDS", 0.5)
    with LocalExecutor() as executor:
        executor.submit(task("hangs"))
        with pytest.raises(RulesError, match=r"hangs failed, .* no answer after"):
            executor.wait(30)


def test_the_method_that_does_not_come_back_is_named_with_the_moves(monkeypatch):
    """First to whoever waits, then in the error."""
    monkeypatch.setattr(executors, "RULES_SECONDS", 4.0)
    said: list[str] = []
    method = r"Fails\.apply, .*bad_rules\.py line \d+"
    with LocalExecutor(say=said.append) as executor:
        executor.submit(task("hangs"))
        with pytest.raises(RulesError, match=rf"no answer after 4\.\d s, in {method}"):
            executor.wait(30)
    (line,) = said
    where = r", after the moves 1 1 and an answer \(Ctrl-C ends\)"
    assert re.fullmatch(rf"game 1: still running {method}{where}", line)


def test_a_method_that_hangs_while_a_player_thinks_is_named():
    """The player tried a move out; whether it or the rules are to blame is not seen."""
    said: list[str] = []
    with LocalExecutor(say=said.append) as executor:
        hanging = task("hangs", "greedy", "random")
        conduct = Conduct(tolerance=0.1, grace=0.4, patience=4.0)
        executor.submit(
            dataclasses.replace(hanging, time=TimeControl(), conduct=conduct)
        )
        ((_, record),) = executor.wait(30)
    assert record.reason == "hang"
    assert re.search(r"4\.\d s, in Fails\.apply, .*bad_rules\.py", record.detail)
    (line,) = said
    assert line.startswith("game 1: still running Fails.apply, ")
    assert line.endswith(", before the first move (Ctrl-C ends)")


def test_rules_that_fail_while_a_player_thinks(executor):
    """Greedy tries moves out; it is not to blame for what they lead to."""
    executor.submit(task("raises", "greedy", "random"))
    with pytest.raises(RulesError, match="so far and no further"):
        executor.wait(30)


def test_no_one_has_lost(tmp_path):
    settings = MatchSettings(f"{RULES}:how=raises", ("random", GOOD))
    match = Match(settings, games=4)
    with Store(tmp_path / "g.db") as store, LocalExecutor() as executor:
        with pytest.raises(RulesError, match="so far and no further"):
            play_matches([match], store, executor)
        assert not list(store.games())
    assert match.forfeits == []


def test_the_command_says_which_rules(tmp_path):
    message = error_of("match", f"{RULES}:how=raises", GOOD, "random", "--games", "2")
    assert "bad_rules.py line" in message
    assert "so far and no further" in message


# -- whose fault is it? ----------------------------------------------------------------


def session(*choosers):
    game = make_game(f"{RULES}:how=raises")
    players = [
        each if isinstance(each, Player) else FunctionPlayer("p", game, each)
        for each in choosers
    ]
    return Session(game, players)


def first(position):
    return position.legal_actions()[0]


def test_a_player_that_asks_a_position_is_not_to_blame():
    """The rules' exception passes through the player's code and is wrapped there."""

    def looks_ahead(position):
        for _ in range(3):
            position.play(1)
        return 1

    with pytest.raises(RulesError, match="ZeroDivisionError: so far and no further"):
        session(looks_ahead, first).run()


def test_a_player_that_calls_the_rules_by_itself_is_to_blame():
    """It takes stones that are not there, which no `Position` allows."""

    def takes_too_many(position):
        position.game.apply(position.state, 5)
        return 1

    record = session(takes_too_many, first).run()
    assert (record.reason, record.forfeit) == ("crash", 0)


def test_a_player_that_breaks_its_position_is_to_blame_where_the_rules_are_ours():
    """The player wrote nonsense into the position that the rules get."""

    class Breaks(Player):
        def choose(self, position, allowance):
            position._states = []
            return Decision(position.legal_actions()[0])

    game = make_game("tic-tac-toe")
    record = Session(game, 2 * [Breaks("breaks", game)]).run()
    assert (record.reason, record.forfeit) == ("crash", 0)


def test_what_a_player_leaves_behind_is_its_fault_where_the_rules_are_ours(executor):
    """Its code ends the process after its answer, before the next player's turn."""
    players = GOOD, f"{HERE / 'bad_players.py'}:trap"
    executor.submit(GameTask("", 0, "tic-tac-toe", players, (0, 1)))
    ((_, record),) = executor.wait(30)
    assert (record.reason, record.forfeit) == ("crash", 1)
    assert "exit code 9" in record.detail


def test_a_player_that_fails_by_itself_is_to_blame():
    class Bad(Player):
        def choose(self, position, allowance):
            position.legal_actions()
            return Decision([][0])

    record = session(Bad("bad", make_game("tic-tac-toe")), first).run()
    assert (record.reason, record.forfeit) == ("crash", 0)
    assert "IndexError" in record.detail


def test_a_text_that_the_rules_cannot_read_is_the_players_fault():
    """`parse_action` of these rules is the default, and the text is nonsense."""
    record = session(lambda position: "x" * 5, first).run()
    assert (record.reason, record.forfeit) == ("garbage", 0)


def test_compiled_rules_are_named_too():
    """The search raises out of compiled code, which has no frames to name the rules."""
    game = make_game(f"{HERE / 'bad_rules.py'}:Deep")
    player = make_player("alphabeta:depth=10", game)
    player.prepare()
    with pytest.raises(RulesError, match="ValueError: too deep"):
        Session(game, [player, player]).run()
