"""One game: clocks, failures, undo, by a clock of the test. Also of `arena/turn.py`."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playout import TicTacToe, UsageError, make_game
from playout.arena.adjudication import Adjudication
from playout.arena.clock import Clock, TimeControl
from playout.arena.record import FORFEITS, REASONS
from playout.arena.session import Conduct, Session, player_seed
from playout.arena.store import record_from_json, record_to_json
from playout.arena.task import GameRunner, GameTask, Listener
from playout.players.player import Decision, Player, PlayerFailure
from tests.toys import ThreeWays

GAME = TicTacToe()

#: X wins with the moves a1 a2 a3; O answers b1 b2.
X, O = ["a1", "a2", "a3"], ["b1", "b2"]  # noqa: E741


class FakeClock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


class Scripted(Player):
    """Plays given moves; each takes so long and is given a value."""

    def __init__(self, moves, clock=None, seconds=0.0, value=None, game=GAME):
        super().__init__("scripted", game)
        self.moves, self.clock = iter(moves), clock
        self.seconds, self.value = seconds, value
        self.seeds, self.allowances = [], []

    def new_game(self, seed):
        self.seeds.append(seed)

    def choose(self, position, allowance):
        self.allowances.append(allowance)
        if self.clock is not None:
            self.clock.now += self.seconds
        return Decision(self.game.parse_action(next(self.moves)), value=self.value)


class Failing(Scripted):
    def __init__(self, error):
        super().__init__([])
        self.error = error

    def choose(self, position, allowance):
        raise self.error


class Mute:
    """Cannot be written."""

    def __repr__(self):
        raise RuntimeError


class Dumb(Exception):
    """Cannot say what it is."""

    def __str__(self):
        raise RuntimeError


def play(first, second, **options):
    return Session(GAME, [first, second], **options).run()


def test_a_game_and_its_record():
    clock = FakeClock()
    players = Scripted(X[1:], clock, 0.25), Scripted(O, clock, 0.5)
    record = play(*players, opening=["a1"], seed=5, clock=clock)
    assert record.game == "tic-tac-toe"
    assert record.players == ("scripted", "scripted")
    assert record.moves == ("a1", "b1", "a2", "b2", "a3")
    assert record.opening == 1
    assert record.seconds == (0.0, 0.5, 0.25, 0.5, 0.25)
    assert record.returns == (1.0, -1.0)
    assert (record.reason, record.forfeit, record.seed) == ("rules", None, 5)
    assert record.started.endswith("+00:00")
    assert [p.seeds for p in players] == [[player_seed(5, 0)], [player_seed(5, 1)]]


def test_seeds_of_seats_and_games_differ():
    seeds = {player_seed(seed, seat) for seed in range(1000) for seat in range(3)}
    assert len(seeds) == 3000


def test_game_clock_with_increment():
    clock = FakeClock()
    first = Scripted(X, clock, 0.3)
    session = Session(
        GAME, [first, Scripted(O)], time=TimeControl.parse("1+0.1"), clock=clock
    )
    session.run()
    left = [allowance.remaining for allowance in first.allowances]
    assert left == pytest.approx([1.0, 0.8, 0.6])
    assert {allowance.increment for allowance in first.allowances} == {0.1}
    assert session.clocks[0].remaining == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("control", "seconds", "reason"),
    [
        (TimeControl(seconds=1), 1.15, "rules"),
        (TimeControl(seconds=1), 1.25, "time"),
        (TimeControl(base=3), 1.05, "rules"),  # 3.15 in all
        (TimeControl(base=3), 1.07, "time"),  # 3.21
        (TimeControl(base=1, increment=1), 1.04, "rules"),
        (TimeControl(base=1, increment=0.5), 0.9, "time"),
        (TimeControl(simulations=1), 1e6, "rules"),
        (TimeControl(), 1e6, "rules"),
    ],
)
def test_tolerance(control, seconds, reason):
    clock = FakeClock()
    first = Scripted(X, clock, seconds)
    record = play(
        first, Scripted(O), time=control, clock=clock, conduct=Conduct(tolerance=0.2)
    )
    assert record.reason == reason
    assert record.forfeit == (None if reason == "rules" else 0)
    assert record.returns == ((1.0, -1.0) if reason == "rules" else (-1.0, 1.0))


@given(st.lists(st.floats(0, 2), max_size=20), st.floats(0, 1))
def test_tolerance_is_given_once(times, tolerance):
    """However long moves take, a kept clock is late by the tolerance at most."""
    clock = Clock(TimeControl(base=5, increment=0.5), tolerance)
    moves = 0
    for seconds in times:
        if not clock.spend(seconds):
            break
        moves += 1
    assert sum(times[:moves]) <= 5 + 0.5 * max(0, moves - 1) + tolerance + 1e-9


@pytest.mark.parametrize("reason", FORFEITS)
def test_failures_lose(reason):
    record = play(Scripted(X), Failing(PlayerFailure(reason, "because")))
    assert (record.reason, record.forfeit) == (reason, 1)
    assert record.detail == "because"
    assert record.returns == (1.0, -1.0)
    assert record.moves == ("a1",)


@pytest.mark.parametrize(
    ("error", "reason", "detail"),
    [
        (ValueError("what"), "crash", "in choose: ValueError: what"),
        (MemoryError(), "memory", "not enough memory"),
        (SystemExit(3), "crash", "SystemExit: 3"),
        (RecursionError("deep"), "crash", "deep"),
    ],
)
def test_exceptions_lose(error, reason, detail):
    record = play(Failing(error), Scripted(O))
    assert (record.reason, record.forfeit) == (reason, 0)
    assert detail in record.detail


def test_ctrl_c_is_no_failure():
    with pytest.raises(KeyboardInterrupt):
        play(Failing(KeyboardInterrupt()), Scripted(O))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Decision(0), "illegal move"),
        (Decision(9), "garbage"),
        (Decision(-1), "garbage"),
        (Decision("b2"), "garbage"),
        (Decision(None), "garbage"),
        (Decision(True), "garbage"),
        (Decision(1.0), "garbage"),
        (Decision(10**400), "garbage"),
        (Decision(np.arange(9)), "garbage"),
        (Decision(1, value="x"), "garbage"),
        (Decision(1, value=True), "garbage"),
        (Decision(1, value=math.nan), "garbage"),
        (Decision(1, value=-math.inf), "garbage"),
        (Decision(1, value=10**400), "garbage"),
        (Decision(1, value=1.5), "garbage"),
        (Decision(1, value=[0.5]), "garbage"),
        (Decision(1, comment=None), "garbage"),
        (Decision(1, comment=b"bytes"), "garbage"),
        (Decision(1, comment="half \ud800"), "garbage"),
        (Decision(1, comment=Mute()), "garbage"),
        (Decision(1, result="62%"), "garbage"),
        (Decision(Mute()), "garbage"),
        (Mute(), "garbage"),
        (None, "garbage"),
        (4, "garbage"),
        ("b2", "garbage"),
    ],
)
def test_strange_answers_lose(answer, reason):
    second = Scripted([])
    second.choose = lambda position, allowance: answer
    resign = Conduct(adjudication=Adjudication(resign_moves=1, draw_moves=1))
    record = play(Scripted([GAME.action_name(0)]), second, conduct=resign)
    assert (record.reason, record.forfeit) == (reason, 1)
    assert record_from_json(record_to_json(record)) == record


def test_plain_values_are_made_of_those_of_numpy():
    """Texts that are too long are cut."""
    first = Scripted([])
    action, value = np.int16(4), np.float32(0.5)
    said = Decision(action, comment=np.str_("x" * 10**7), value=value)
    first.choose = lambda position, allowance: said
    session = Session(GAME, [first, None])
    answer = session.turn().ask()
    assert type(answer.decision.action) is int
    assert type(answer.decision.value) is float
    assert type(answer.decision.comment) is str
    assert len(answer.decision.comment) < 1100
    session.take(answer)
    assert session.position.moves == ["b2"]


@pytest.mark.parametrize(
    "error",
    [
        ValueError("half \ud800"),
        ValueError("x" * 10**7),
        PlayerFailure("my own reason", 7),
        PlayerFailure("crash", "half \ud800"),
        PlayerFailure.__new__(PlayerFailure),
        Dumb(),
    ],
)
def test_the_words_of_a_failure_can_be_kept(error):
    record = play(Failing(error), Scripted(O))
    assert (record.reason, record.forfeit) == ("crash", 0)
    assert len(record.detail) < 30_000
    assert record.detail == record.detail.encode().decode()


def test_what_is_no_action_is_not_called_by_a_moves_name():
    for answer, said in ((-1, "-1 is not a move"), (GAME.num_actions(), "9 is not a")):
        second = Scripted([])
        second.choose = lambda position, allowance, answer=answer: Decision(answer)
        record = play(Scripted([GAME.action_name(0)]), second)
        assert said in record.detail


def test_a_player_that_cannot_begin_loses():
    first = Scripted(X)
    first.new_game = lambda seed: 1 / 0
    record = play(first, Scripted(O))
    assert (record.reason, record.forfeit, record.moves) == ("crash", 0, ())


def test_players_cannot_change_the_game():
    class Cheat(Scripted):
        def choose(self, position, allowance):
            while not position.is_terminal:
                position.play(position.legal_actions()[0])
            return super().choose(Session(GAME, [None, None]).position, allowance)

    assert play(Cheat(X), Scripted(O)).moves == ("a1", "b1", "a2", "b2", "a3")


def test_three_seats():
    game = ThreeWays()
    players = [Scripted("1", game=game), Scripted("0", game=game)]
    record = Session(game, [*players, Failing(RuntimeError())]).run()
    assert record.forfeit == 2
    assert record.returns == (0.5, 0.5, -1.0)
    with pytest.raises(UsageError, match="has 3 seats, not 2"):
        Session(game, players)


def test_undo_restores_position_clocks_and_an_ended_game():
    session = Session(GAME, [None, None], time=TimeControl(base=10, increment=1))
    for move, seconds in zip(
        ["a1", "b1", "a2", "b2", "a3"], [2, 3, 1, 1, 1], strict=True
    ):
        session.play(move, seconds)
    assert session.over
    session.undo().undo()
    assert not session.over
    assert session.position.moves == ["a1", "b1", "a2"]
    assert [clock.remaining for clock in session.clocks] == [9, 8]
    session.undo().undo().undo()
    assert [clock.remaining for clock in session.clocks] == [10, 10]
    with pytest.raises(UsageError, match="no move to take back"):
        session.undo()


def test_an_opening_is_not_undone():
    session = Session(GAME, [None, None], opening=["b2"]).play("a1")
    session.undo()
    with pytest.raises(UsageError):
        session.undo()


def test_what_can_be_undone_is_what_somebody_did():
    session = Session(make_game("backgammon"), [None, None])
    assert not session.can_undo()  # the first dice
    mover = session.position.current_player
    session.play(session.position.legal_actions()[0])
    assert [session.can_undo([seat]) for seat in (mover, 1 - mover)] == [True, False]
    assert session.resign(mover).can_undo([1 - mover])


def test_resignation_and_its_undo():
    session = Session(GAME, [None, None]).play("b2").resign(1)
    assert session.over
    assert session.record().returns == (1.0, -1.0)
    assert session.record().reason == "resignation"
    assert not session.undo().over
    assert session.position.moves == ["b2"]


def test_a_loss_on_time_can_be_taken_back():
    """Also before the first move; the clock is set to what it was before."""
    session = Session(GAME, [None, None], time=TimeControl(base=10)).play("b2", 11)
    assert session.record().reason == "time"
    assert session.undo().clocks[0].remaining == 10
    assert not session.play("b2", 4).over
    assert session.clocks[0].remaining == 6
    with pytest.raises(UsageError, match="no move to take back"):
        session.undo().undo()


def test_moves_of_people():
    session = Session(GAME, [None, Scripted(O)])
    session.start()
    with pytest.raises(UsageError, match="seat 0"):
        session.step()
    with pytest.raises(UsageError, match="cannot be played"):
        session.play("b2").play("b2")
    session.step()
    assert session.position.moves == ["b2", "b1"]
    assert session.record().players == ("human", "scripted")


def test_nothing_after_the_end():
    session = Session(GAME, [None, None]).resign(0)
    for action in (session.step, lambda: session.play("b2")):
        with pytest.raises(UsageError, match="the game is over"):
            action()


def test_a_record_can_leave_out_what_is_known():
    session = Session(TicTacToe(), [None, None], opening=["b2", "a1"])
    known = [session.record()]
    for move in ["a2", "c2", "b1"]:
        known.append(session.play(move, seconds=0.5).record())
    for earlier in known:
        assert session.record(since=len(earlier.moves)).after(earlier) == known[-1]
    rest = session.record(since=1)  # within the opening
    assert (rest.moves, rest.opening) == (("a1", "a2", "c2", "b1"), 2)
    assert rest.seconds == (0.0, 0.5, 0.5, 0.5)


def test_a_listener_is_told_each_move_once():
    class Listening(Listener):
        def __init__(self):
            self.heard = []

        def thinking(self, seat, limit, record):
            self.heard += record.moves

    listener = Listening()
    players = ("random", "random")
    task = GameTask("", 0, "tic-tac-toe", players, (0, 1), opening=("b2", "a1"), seed=1)
    with GameRunner(listener) as runner:
        record = runner.play(task)
    told = len(listener.heard)
    assert len(record.moves) - 1 == told  # no one is asked after the last
    assert tuple(listener.heard) == record.moves[:told]


def test_watch_names_seat_and_limit():
    seen = []
    players = Scripted(X), Scripted(O)
    session = Session(GAME, players, time=TimeControl(seconds=1))
    session.watch = lambda seat, limit: seen.append((seat, limit))
    session.run()
    assert seen[:3] == [(0, float("inf")), (1, float("inf")), (0, pytest.approx(1.2))]
    assert [seat for seat, _ in seen[2:]] == [0, 1, 0, 1, 0]


def test_reasons_are_those_of_records():
    assert set(FORFEITS) < set(REASONS)
