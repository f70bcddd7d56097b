"""Frames of a deep recursion: calls at any depth map no memory."""

import resource

from playout.core.jit.frames import with_room_for_frames


def call_at_depths(depth: int) -> None:
    """Call a function many times from each of so many frames."""
    if depth:
        for _ in range(100):
            nothing()
        call_at_depths(depth - 1)


def nothing() -> None:
    pass


def test_calls_back_and_forth_map_no_memory() -> None:
    roomy = with_room_for_frames(lambda: call_at_depths(500))
    roomy()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        roomy()
    taken = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    assert taken < 20 * 100  # a page fault for each block and call were 6,000
