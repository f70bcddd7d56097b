"""What is read and written of leaves that wait is what kernels see."""

from typing import Any

import numpy as np
import pytest

from playout import MCTS, ConnectFour
from playout.search.kernels.pending import Pending, make_pending
from playout.search.running.waiting import WaitingLeaves


@pytest.fixture
def pair() -> tuple[WaitingLeaves, Pending]:
    """Room for three leaves of Connect Four, shown as planes."""
    policies = MCTS(ConnectFour(), evaluator=lambda states: None).policies
    pending = make_pending(policies, 3, 50, shared=False, observes=True)
    return WaitingLeaves(policies, pending), pending


def test_numbers_are_those_of_the_batch(pair: Any) -> None:
    leaves, pending = pair
    batch = pending.batch[0]
    batch.count, batch.first, batch.full, batch.crowded = 2, 5, 1, 0
    found = leaves.count(), leaves.first(), leaves.full(), leaves.crowded()
    assert found == (2, 5, 1, 0)
    batch.crowded = 1
    assert leaves.crowded() == 1


def test_an_evaluator_sees_what_was_observed(pair: Any) -> None:
    leaves, pending = pair
    pending.observations[:] = np.arange(len(pending.observations))
    assert leaves.seen.shape == (3, *ConnectFour().observation_shape())
    assert leaves.seen.ravel().tolist() == pending.observations.tolist()
    assert leaves.states is pending.states.array


def test_values_and_priors_are_written_row_by_row(pair: Any) -> None:
    leaves, pending = pair
    leaves.answer(np.array([0.5, -0.5]), np.arange(14.0).reshape(2, 7))
    assert pending.values[[0, 2]].tolist() == [0.5, -0.5]
    assert pending.priors[:14].tolist() == list(range(14))
    batch = pending.batch[0]
    assert (batch.per_player, batch.has_priors) == (0, 1)
    leaves.answer(np.array([[0.25, -0.25]], dtype=np.float32), None)
    assert pending.values[:2].tolist() == [0.25, -0.25]
    assert (batch.per_player, batch.has_priors) == (1, 0)


def test_what_is_too_large_is_noted_for_the_kernel_to_refuse(pair: Any) -> None:
    leaves, pending = pair
    leaves.answer(np.array([0]), np.full((1, 7), 1e300))
    assert np.isinf(pending.priors[:7]).all()
