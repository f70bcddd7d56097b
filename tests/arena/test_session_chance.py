"""Games of chance that are played: the dice are the table's, and nobody sees them."""

from playout import Position
from playout.arena.openings import RandomBook
from playout.arena.session import Session
from playout.arena.task import GameRunner, GameTask
from playout.games.more.pig import Pig
from playout.games.positions.dice import roll
from playout.players.registry import make_player
from tests.ui.support import output_of


def play(seed: int) -> Session:
    game = Pig(target=20)
    player = make_player("mcts:simulations=300", game)
    opening = ["roll", "5"]
    session = Session(game, [player, player], seed=seed, seeds=[7, 8], opening=opening)
    session.start()
    return session


def test_other_dice_do_not_change_the_advice() -> None:
    """A search does not depend on the dice of the game (docs/checklist.md, row 21)."""
    said = []
    for seed in range(6):
        session = play(seed)
        session.step()
        said.append((session.record().moves[2], session.record().comments[2]))
    assert len(set(said)) == 1
    assert len({play(seed).play("roll").record().moves[3] for seed in range(20)}) > 2


def test_a_record_holds_the_dice_and_can_be_played_again() -> None:
    record = play(3).run()
    assert len(record.moves) == len(record.seconds) == len(record.comments)
    position = Position.from_moves(Pig(target=20), record.moves)
    assert position.is_terminal
    assert tuple(position.returns(p) for p in (0, 1)) == record.returns
    assert {"1", "2", "3", "4", "5", "6"} & set(record.moves)


def test_a_move_taken_back_meets_the_same_dice() -> None:
    session = Session(Pig(), [None, None], seed=11)
    first = session.play("roll").record().moves
    assert len(first) == 2
    assert session.undo().record().moves == ()
    assert session.play("roll").record().moves == first


def test_matches_have_dice() -> None:
    players = "greedy", "random"
    with GameRunner() as runner:
        record = runner.play(GameTask("", 0, "pig:target=30", players, (0, 1), seed=4))
    assert record.reason == "rules"
    assert sum(record.returns) == 0


def test_the_same_seed_and_moves_give_the_same_dice() -> None:
    faces = {roll(Position.from_moves(Pig(), ["roll"]), seed)[0] for seed in range(60)}
    assert faces == set(range(2, 8))
    assert (
        len({roll(Position.from_moves(Pig(), ["roll"]), 5)[0] for _ in range(3)}) == 1
    )


def test_a_conversation_rolls() -> None:
    arguments = "play", "pig:target=20", "random", "--seed", "1"
    said = output_of(*arguments, typed="roll\nundo\nroll\nquit\n")
    throws = [line for line in said.splitlines() if line.startswith("Chance: ")]
    assert throws[0] == throws[1]


def test_random_openings_roll_too() -> None:
    book = RandomBook(Pig(target=50), plies=3, seed=1)
    for pair in range(5):
        position = Position.from_moves(Pig(target=50), book.opening(pair))
        assert not position.is_chance
        assert sum(move in ("roll", "hold") for move in position.moves) == 3
