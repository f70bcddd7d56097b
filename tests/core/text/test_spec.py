"""Specs: what stands where in them, and other values put in."""

import pytest

from playout.core.text.spec import with_values


@pytest.mark.parametrize(
    ("spec", "found"),
    [
        ("mcts", "mcts:a=1"),
        ("mcts:b=2,a=3,c=4", "mcts:b=2,a=1,c=4"),
        ("mcts:rollout=my.py:Mine(b=2,c=3)", "mcts:rollout=my.py:Mine(b=2,c=3),a=1"),
        ("dir/bots.py:make_player", "dir/bots.py:make_player:a=1"),
        ("bots.py:make_player:b=2", "bots.py:make_player:b=2,a=1"),
        ("net:dir/net.npz,a=2", "net:dir/net.npz,a=1"),
    ],
)
def test_values_are_put_into_a_spec(spec, found):
    assert with_values(spec, {"a": "1"}) == found
