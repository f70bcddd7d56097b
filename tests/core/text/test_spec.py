"""Specs: what stands where in them, and other values put in."""

import pytest

from playout.core.errors import UsageError
from playout.core.text.spec import with_values


@pytest.mark.parametrize(
    ("spec", "name", "found"),
    [
        ("mcts", "a", "mcts:a=1"),
        ("mcts:b=2,a=3,c=4", "a", "mcts:b=2,a=1,c=4"),
        (
            "mcts:rollout=my.py:Mine(b=2,c=3)",
            "a",
            "mcts:rollout=my.py:Mine(b=2,c=3),a=1",
        ),
        ("dir/bots.py:make_player", "a", "dir/bots.py:make_player:a=1"),
        ("bots.py:make_player:b=2", "a", "bots.py:make_player:b=2,a=1"),
        ("net:dir/net.npz,a=2", "a", "net:dir/net.npz,a=1"),
        (
            "mcts:rollout=my.py:Mine,b=2",
            "rollout.a",
            "mcts:rollout=my.py:Mine(a=1),b=2",
        ),
        (
            "mcts:rollout=my.py:Mine(b=2,a=3)",
            "rollout.a",
            "mcts:rollout=my.py:Mine(b=2,a=1)",
        ),
        ("mcts:rollout=mast(b=2)", "rollout.a", "mcts:rollout=mast(b=2,a=1)"),
    ],
)
def test_values_are_put_into_a_spec_and_into_what_it_calls(spec, name, found):
    assert with_values(spec, {name: "1"}) == found


def test_a_field_of_what_is_not_called_is_refused():
    with pytest.raises(
        UsageError, match=r"^rollout.a: mcts:b=2 has no rollout=\.\.\., "
    ):
        with_values("mcts:b=2", {"rollout.a": "1"})
