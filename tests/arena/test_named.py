"""Files that specs name: what counts, so that their games are not mixed."""

from playout.arena.match import Match, MatchSettings
from playout.arena.named import files_digest


def test_the_files_that_a_file_imports_count(tmp_path):
    """Rules with a limit in a module beside them: other limits, another match."""
    rules, limit, other = (tmp_path / name for name in ("rules.py", "limit.py", "b.py"))
    rules.write_text("from limit import LIMIT\n")
    seen = set()
    for text in ("LIMIT = 3", "LIMIT = 5", "LIMIT = 3"):
        limit.write_text(text)
        other.write_text(text)
        seen.add(files_digest(f"{rules}:Nim:stones=3"))
    assert len(seen) == 2
    assert files_digest(f"{other}:Nim") in {each.split()[1] for each in seen}
    assert files_digest("connect-four") is None


def test_a_match_of_other_imports_is_another(tmp_path):
    (tmp_path / "bots.py").write_text(
        "from skill import pick\ndef bot(game):\n    return pick\n"
    )
    seen = []
    for pick in ("min", "max", "min"):
        (tmp_path / "skill.py").write_text(
            f"pick = lambda p: {pick}(p.legal_actions())"
        )
        players = (f"{tmp_path / 'bots.py'}:bot", "random")
        seen.append(Match(MatchSettings("tic-tac-toe", players), 2).identity)
    assert seen[0] == seen[2] != seen[1]
