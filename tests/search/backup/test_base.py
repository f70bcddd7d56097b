"""What a backup is taken for that says nothing about itself."""

from dataclasses import dataclass

from playout import Backup


@dataclass(frozen=True)
class Silent(Backup):
    """A user's own."""


def test_threads_do_not_share_a_path_unless_a_backup_says_that_they_may() -> None:
    assert not Silent().splits
