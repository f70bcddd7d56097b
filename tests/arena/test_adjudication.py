"""Games that are decided before their end, where both players agree."""

import pytest

from playout import UsageError
from playout.arena.adjudication import Adjudication
from playout.arena.session import Conduct
from tests.arena.test_session import Scripted, play


def adjudicated(first_value, second_value, *rules):
    conduct = Conduct(adjudication=Adjudication.parse(rules))
    first = Scripted(["a3", "c3", "b1", "a2", "b2"], value=first_value)
    second = Scripted(["c2", "a1", "c1", "b3"], value=second_value)
    return play(first, second, conduct=conduct)


def test_adjudication_is_off_by_default():
    assert adjudicated(-1.0, 0.0).reason == "rules"


def test_draw():
    record = adjudicated(0.01, -0.01, "draw:moves=4,score=0.02")
    assert (record.reason, record.forfeit) == ("adjudicated draw", None)
    assert len(record.moves) == 4
    assert record.returns == (0.0, 0.0)
    later = adjudicated(0.01, -0.01, "draw:moves=4,score=0.02,after=6")
    assert len(later.moves) == 6
    assert adjudicated(0.01, 0.5, "draw:moves=4,score=0.02").reason == "rules"


def test_resign():
    record = adjudicated(0.9, -0.97, "resign:moves=2,score=0.95")
    assert (record.reason, record.forfeit) == ("resignation", 1)
    assert len(record.moves) == 4
    assert record.returns == (1.0, -1.0)
    assert adjudicated(0.9, -0.9, "resign:moves=2").reason == "rules"


def test_players_that_say_nothing_are_not_adjudicated():
    rules = "draw:moves=1,score=1", "resign:moves=1,score=0"
    assert adjudicated(None, None, *rules).reason == "rules"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("draw", "is no rule"),
        ("win:moves=3", "is no rule"),
        ("draw:moves", "must be a number"),
        ("draw:moves=x", "must be a number"),
        ("draw:score=0.1", "needs moves=N"),
        ("resign:moves=-1", "at least 0"),
        ("resign:moves=2,score=3", "must lie in 0 .. 1"),
    ],
)
def test_adjudication_errors(rule, message):
    with pytest.raises(UsageError, match=message):
        Adjudication.parse([rule])
