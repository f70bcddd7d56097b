"""A table: people and programs, undo and redo, and answers that come too late."""

import pytest

from playout import MCTS, Limit, TicTacToe, UsageError
from playout.arena.clock import TimeControl
from playout.arena.table import Table
from playout.games.more.phantom_tic_tac_toe import PhantomTicTacToe
from playout.games.more.pig import Pig
from playout.players.baselines import RandomPlayer
from playout.players.player import Allowance, Decision, Player
from playout.players.registry import make_player
from tests.arena.test_session import FakeClock
from tests.toys import Nim

GAME = TicTacToe()


def answer(table: Table) -> None:
    """Let the program that is to move do so."""
    table.prepare()
    assert table.take(table.turn().ask(), table.version)


def test_people_and_programs_take_turns():
    table = Table(GAME, ["human", "greedy"]).play("b2")
    assert table.waits_for_program
    answer(table)
    assert table.mover == 0
    assert len(table.position.moves) == 2


def test_a_person_cannot_move_for_a_program():
    table = Table(GAME, ["greedy", "human"])
    with pytest.raises(UsageError, match="not your turn"):
        table.play("b2")


def test_an_answer_to_a_question_of_the_past_is_not_taken():
    table = Table(GAME, ["human", "greedy"]).play("b2")
    table.prepare()
    version, late = table.version, table.turn().ask()
    table.take_back()
    assert not table.take(late, version)
    assert table.position.moves == []


def test_undo_goes_back_to_a_person_and_redo_returns():
    table = Table(GAME, ["human", "greedy"]).play("b2")
    answer(table)
    moves = table.position.moves
    assert table.take_back().position.moves == []
    assert table.redo().position.moves == moves
    assert table.session.num_undone == 0


def test_undo_between_people_and_between_programs_is_one_move():
    for seats in (["human", "human"], ["random", "random"]):
        table = Table(GAME, seats, moves=["b2", "a1"])
        assert table.take_back().position.moves == ["b2"]


def test_a_new_move_ends_redo():
    table = Table(GAME, ["human", "human"], moves=["b2", "a1"]).take_back().play("c3")
    with pytest.raises(UsageError, match="play again"):
        table.redo()


def test_an_early_end_ends_redo():
    """Else moves would follow a resignation."""
    table = Table(GAME, ["human", "human"], moves=["b2", "a1"]).take_back().resign()
    assert table.session.num_undone == 0
    with pytest.raises(UsageError, match="play again"):
        table.redo()
    assert table.record().moves == ("b2",)


def test_back_to_any_move():
    table = Table(GAME, ["human", "human"], moves=["b2", "a1", "c3"]).go_back_to(1)
    assert table.position.moves == ["b2"]
    assert table.session.num_undone == 2
    with pytest.raises(UsageError, match="0 to 1 moves"):
        table.go_back_to(2)


def test_an_undone_end_is_no_end():
    table = Table(GAME, ["human", "human"], moves=["a1", "b1", "a2", "b2", "a3"])
    assert table.over
    assert table.mover is None
    table.take_back()
    assert not table.over


def test_looking_back_leaves_the_game_alone():
    table = Table(GAME, ["human", "human"], moves=["b2", "a1"])
    assert table.position_at(1).moves == ["b2"]
    assert table.position.moves == ["b2", "a1"]


def test_resigning():
    table = Table(GAME, ["human", "greedy"]).play("b2").resign()
    assert table.session.record().returns == (-1.0, 1.0)
    with pytest.raises(UsageError, match="over"):
        table.resign()
    with pytest.raises(UsageError, match="only a person"):
        Table(GAME, ["greedy", "greedy"]).resign()


def test_who_has_played_is_known_after_the_seats_were_changed():
    """Else whoever has lost would be told "You win!" for taking the other seat."""
    table = Table(TicTacToe(), ["human", "random"])
    table.resign()
    table.seat(["random", "human"])
    assert (table.people, table.people_at_end) == ([1], [0])
    record = table.record()  # else the program would be kept as who has resigned
    assert (record.players, record.forfeit) == (("human", "random"), 0)
    table.take_back()
    assert table.people_at_end == [1]
    assert table.record().players == ("random", "human")


def test_the_clock_of_a_person_runs_and_runs_out():
    clock = FakeClock()
    control = TimeControl(base=10)
    table = Table(GAME, ["human", "human"], time=control, clock=clock)
    clock.now += 4
    assert table.remaining() == [6, 10]
    assert not table.call_time()
    table.play("b2")
    assert table.remaining() == [6, 10]
    clock.now += 11
    assert table.call_time()
    record = table.session.record()
    assert (record.reason, record.returns) == ("time", (1.0, -1.0))
    assert record.detail == "no move after 11.000 s, when its clock had run out"


def test_nobody_gets_time_by_changing_nothing():
    clock = FakeClock()
    seats = ["human", "human"]
    table = Table(GAME, seats, time=TimeControl(base=60), clock=clock)
    clock.now += 50
    assert table.seat(seats).remaining() == [10, 60]
    assert table.go_back_to(0).remaining() == [10, 60]


def test_whoever_takes_a_seat_is_prepared_for_the_game():
    """The player who had the seat before is being prepared at that moment."""
    table = Table(GAME, ["greedy", "human"])
    first = table.session.players[0]
    first.prepare = lambda: table.seat(["random", "human"])
    told = []
    table.prepare()
    table.session.players[0].new_game = told.append
    table.prepare()
    assert told == [table.session.seeds[0]]


def test_players_change_in_the_middle():
    table = Table(GAME, ["human", "greedy"]).play("b2")
    table.seat(["greedy", "human"])
    assert table.play("a1").waits_for_program
    answer(table)
    with pytest.raises(UsageError, match="2 seats"):
        table.seat(["human"])
    with pytest.raises(UsageError, match="unknown player"):
        table.seat(["human", "nobody"])
    assert table.specs == ["greedy", "human"]


def test_illegal_given_moves_are_numbered():
    with pytest.raises(UsageError, match="move 2: b2 cannot be played"):
        Table(GAME, ["human", "human"], moves=["b2", "b2"])


def test_what_a_program_may_use_is_passed_on():
    allowance = Allowance(seconds=0.5)
    table = Table(GAME, ["mcts", "human"], allowance=allowance)
    assert table.session.players[0].allowance == allowance


def test_what_a_program_may_use_holds_beside_a_clock():
    """A clock of a minute let `--simulations 300` search a hundred thousand."""
    most, clock = Allowance(seconds=0.5, simulations=300), TimeControl(base=60)
    table = Table(GAME, ["mcts", "human"], time=clock, allowance=most)
    given = table.turn().allowance
    assert (given.seconds, given.simulations, given.remaining) == (0.5, 300, 60)


def test_dice_fall_by_themselves_and_given_ones_stay():
    table = Table(Pig(), ["human", "human"], moves=["roll", "5"])
    assert table.position.moves[:2] == ["roll", "5"]
    with pytest.raises(UsageError, match="take back"):
        table.take_back()
    table.play("roll")
    assert len(table.position.moves) == 4
    assert table.take_back().position.moves == ["roll", "5"]


class GivenPlayer(RandomPlayer):
    """A player that the table did not make; it notes what it is told."""

    def __init__(self):
        super().__init__("random", GAME)
        self.told = []

    def prepare(self):
        self.told.append("prepare")

    def new_game(self, seed):
        super().new_game(seed)
        self.told.append(seed)

    def close(self):
        self.told.append("close")


def test_a_player_that_is_prepared_may_have_several_seats():
    """`new_game` is called once, and the table does not close it."""
    given = GivenPlayer()
    table = Table(GAME, [given, given], seeds=[7, 8])
    answer(table)
    answer(table)
    table.close()
    assert table.specs == ["random", "random"]
    assert given.told == [7]


def test_a_stand_in_plays_for_people_where_nobody_is_there():
    """Also in a game that hides something; `new_game` is not called again."""
    given = GivenPlayer()
    table = Table(GAME, ["human", given], seeds=[0, 7]).play("b2")
    answer(table)
    table.stand_in(given)
    assert (table.people, table.unprepared) == ([], [])
    answer(table)
    assert given.told == [7]
    hidden = Table(PhantomTicTacToe(), ["human", "human"]).play("b2")
    assert not hidden.stand_in(make_player("random", hidden.game)).hides


class Searcher(Player):
    """Searches as plain Python."""

    def choose(self, position, allowance):
        search = MCTS(self.game, seed=1, interpreted=True)
        result = search.search(position, Limit(simulations=12))
        return Decision(result.action, result, "thought")


def test_what_a_must_play_list_has_seen_is_in_the_log():
    searcher = Searcher("searcher", GAME)
    table = Table(GAME, ["human", searcher], moves=["b2"])
    answer(table)
    record = table.session.record()
    assert record.comments == ("", "thought")
    table = Table(GAME, ["human", searcher], moves=["b2", "a1", "a2"])
    answer(table)
    assert table.session.record().comments[-1] == "thought, stops a line"


def test_a_reason_that_fails_ends_nothing():
    class Unfinished(TicTacToe):
        def why_urgent(self, state, action):
            return self.no_such_thing

    game = Unfinished()
    searcher = Searcher("searcher", game)
    table = Table(game, ["human", searcher], moves=["b2", "a1", "a2"])
    answer(table)
    assert "why_urgent failed" in table.session.record().comments[-1]


class Spoken(Nim):
    def action_name(self, action):
        return f"take {action}"


def test_it_begins_after_moves_whose_names_have_blanks():
    words = ["take", "3", "take", "1"]
    table = Table(Spoken(), ["human", "human"], moves=words)
    assert table.position.moves == ["take 3", "take 1"]
    assert table.take_back().position.moves == ["take 3"]
    with pytest.raises(UsageError, match="move 1: 'take' is not a move"):
        Table(Spoken(), ["human", "human"], moves=["take", "four"])
