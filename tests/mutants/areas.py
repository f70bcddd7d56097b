"""What is changed, and which tests are to notice it."""

from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path("src/playout")
TESTS = Path("tests")
#: Need a browser or a server of their own, for what others see sooner; run for the file
#: whose name they bear.
_SLOW = ("test_page", "test_server", "test_connections")


@dataclass(frozen=True)
class Area:
    """A file or a folder, whose tests stand in the same place below `tests`.

    Attributes:
        place: below `src/playout`.
        more: tests elsewhere that are about it too.
        is_compiled: whether a change of it mostly has rules or searches compile anew:
            its tests are then run without those that compile (see `quick`).
        compiled: of those that compile, the few that look for what others do not see.
        needs_warm: whether tests load what is compiled without it, for which they are
            run once without a mistake.
    """

    place: str
    more: tuple[str, ...] = ()
    is_compiled: bool = True
    compiled: tuple[str, ...] = ()
    needs_warm: bool = False

    def files(self) -> list[str]:
        """Its files, from `src/playout`."""
        here = PACKAGE / self.place
        found = [here] if here.is_file() else sorted(here.rglob("*.py"))
        return [str(each.relative_to(PACKAGE)) for each in found]

    def tests(self, root: Path) -> list[str]:
        """Its tests in a copy of the sources, from there."""
        here = root / TESTS / self.place
        if here.suffix:
            found = [here.with_name(f"test_{here.name}")]
        else:
            found = sorted(here.rglob("test_*.py"))
        quick = [each for each in found if not each.stem.startswith(_SLOW)]
        return [*(str(each.relative_to(root)) for each in quick), *self.more]


AREAS = (
    Area(
        "search/solver",
        more=("tests/search/kernels/test_chance.py", "tests/search/test_golden.py"),
        compiled=(
            "tests/search/solver/test_score_bounds.py::"
            "test_every_tic_tac_toe_position_is_proven_like_minimax",
            "tests/search/solver/test_max_n.py::test_proofs_are_found",
            "tests/search/solver/test_max_n.py::test_a_kept_tree_keeps_sound",
        ),
    ),
    Area("search/backup", more=("tests/search/test_golden.py",)),
    Area(
        "search/selection",
        more=(
            "tests/search/kernels/test_information_sets.py",
            "tests/search/test_golden.py",
        ),
    ),
    Area(
        "games/check",
        more=("tests/games/more/test_phantom_tic_tac_toe.py",),
        compiled=("tests/games/check/test_bounds.py",),
        needs_warm=True,
    ),
    Area("arena/rating.py", is_compiled=False),
    Area("ui/web", is_compiled=False),
)


def area_of(path: str) -> Area:
    """The area that a file is in."""
    return next(each for each in AREAS if path.startswith(each.place))


def suite_of(path: str, root: Path) -> list[str]:
    """The doctests of a file, then all its tests, those that bear its name first."""
    name, tests = f"test_{Path(path).stem}", area_of(path).tests(root)
    own = (TESTS / path).with_name(f"{name}.py")
    if (root / own).exists() and str(own) not in tests:
        tests.append(str(own))
    tests.sort(key=lambda test: name not in test)
    return [str(PACKAGE / path), *tests]
