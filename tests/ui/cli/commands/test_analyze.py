"""`playout analyze`: its JSON, its table, its tree files."""

import json
import re

from tests.ui.support import LINE, error_of, output_of, run

NAMES = {
    *("game", "moves", "best", "value", "simulations", "seconds", "compile_seconds"),
    *("simulations_per_second", "stopped_by", "pv", "nodes", "tree_bytes", "actions"),
}


def analyze(*arguments: str, game: str = LINE) -> dict:
    return json.loads(
        output_of("analyze", game, "--simulations", "300", "--json", *arguments)
    )


def test_json_names():
    found = analyze("--moves", "a1")
    assert set(found) >= NAMES
    for row in found["actions"]:
        assert {"move", "visits", "mean", "share"} <= set(row)


def test_json_values():
    found = analyze("--seed", "5", game="connect-four")
    assert found["game"] == "connect-four"
    assert found["moves"] == []
    assert found["best"] == found["pv"][0]
    assert found["simulations"] == 300
    assert found["stopped_by"] == "simulations"
    assert found["seed"] == 5
    assert found["proven"] is None
    assert -1 <= found["value"] <= 1
    visits = [row["visits"] for row in found["actions"]]
    assert visits == sorted(visits, reverse=True)
    assert abs(sum(row["share"] for row in found["actions"]) - 1) < 1e-9


def test_json_says_what_is_proven():
    found = analyze()
    assert found["best"] == "b1"
    assert (found["proven"], found["stopped_by"]) == ("win", "proven")
    rows = {row["move"]: row for row in found["actions"]}
    assert (rows["b1"]["proven"], rows["b1"]["proof_plies"]) == ("win", 3)


def test_moves_lead_to_the_position():
    assert analyze("--moves", "a1")["moves"] == ["a1"]


def test_position_in_text_form():
    seed = ("--seed", "1")
    found = analyze("--position", "44455", *seed, game="connect-four")
    after_moves = analyze("--moves", "4 4 4 5 5", *seed, game="connect-four")
    assert found["actions"] == after_moves["actions"]
    assert found["actions"] != analyze(*seed, game="connect-four")["actions"]


def test_same_seed_same_answer():
    first, second = (analyze("--seed", "9") for _ in range(2))
    assert first["actions"] == second["actions"]
    assert first["nodes"] == second["nodes"]


def test_both_limits_are_honoured():
    found = json.loads(
        output_of(
            "analyze",
            "connect-four",
            "--simulations",
            "50",
            "--seconds",
            "60",
            "--json",
        )
    )
    assert found["simulations"] == 50


def test_table_when_no_one_watches():
    shown = output_of("analyze", LINE, "--simulations", "300")
    assert shown.startswith("Selected b1 with ratio")
    assert "\x1b" not in shown


def test_tree_as_json(tmp_path):
    analyze("--tree", str(tmp_path / "tree.json"))
    tree = json.loads((tmp_path / "tree.json").read_text())
    assert tree["nodes"][0]["visits"] == tree["visits"] <= 300


def test_tree_as_dot(tmp_path):
    analyze("--tree", str(tmp_path / "tree.dot"))
    assert (tmp_path / "tree.dot").read_text().startswith("digraph tree {")


def test_threads():
    found = analyze("--threads", "2", game="tic-tac-toe")
    assert found["simulations"] == 300
    assert "threads must be a whole number" in error_of(
        "analyze", LINE, "--threads", "0"
    )


def test_a_puzzle_without_a_tree():
    asked = ("--search", "nrpa", "--seed", "1")
    found = analyze(*asked, game="tsp:cities=6")
    assert found["simulations"] == 300
    assert found["best_line"][0] == found["best"]
    assert len(found["best_line"]) == 5


def test_an_only_move_is_searched_like_any_other():
    blocked = analyze("--moves", "1 2 1 2 1", game="connect-four")
    last = analyze("--moves", "b c d e", "--search", "nrpa", game="tsp:cities=6")
    for found in (blocked, last):
        assert len(found["actions"]) == 1
        assert (found["simulations"], found["stopped_by"]) == (300, "simulations")


def test_what_says_nothing_without_a_tree():
    asked = ("analyze", "tsp:cities=6", "--search", "nrpa", "--tree", "tree.svg")
    assert "--search nrpa has no tree, so --tree is not for it" in error_of(*asked)


def test_tree_as_text(tmp_path):
    analyze("--tree", str(tmp_path / "tree.txt"))
    assert (tmp_path / "tree.txt").read_text().startswith(LINE)


def test_the_log_of_source_1():
    said = output_of("analyze", LINE, "--simulations", "300", "--log", "plain")
    lines = said.splitlines()
    assert lines[0].startswith("Selected (0, 1) with ratio")
    assert all(line.startswith("(0, ") and " -> " in line for line in lines[1:])


def test_json_has_the_sum_of_the_returns():
    for row in analyze()["actions"]:
        assert row["value_sum"] == row["mean"] * row["visits"]


def test_a_player_is_looked_at_with_its_evaluator(tmp_path):
    file = tmp_path / "net.py"
    file.write_text("def evaluate(states):\n    return 7 * len(states)\n")
    spec = f"mcts:evaluator={file}:evaluate,batch=4"
    said = error_of("analyze", LINE, "--player", spec, "--seed", "1")
    assert "it must give a pair, values and priors" in said
    own = ("analyze", "connect-four", "--player", "mcts:simulations=20")
    assert json.loads(output_of(*own, "--json"))["simulations"] == 20


def test_what_a_player_says_already():
    asked = ("analyze", LINE, "--player", "mcts", "--threads", "2")
    assert "put threads=... into its text" in error_of(*asked)
    assert "no tree to show" in error_of("analyze", LINE, "--player", "random")


def test_chance_draws_where_it_is_to_move():
    def shown(*options):
        return run("analyze", "kuhn-poker", "--simulations", "50", *options)

    first, again = shown("--seed", "1", "--json"), shown("--seed", "1", "--json")
    assert re.search(r"^Chance draws [JQK] [JQK] \(--seed", first.stderr, re.M)
    assert len(json.loads(first.stdout)["moves"]) == 2
    assert json.loads(again.stdout)["moves"] == json.loads(first.stdout)["moves"]
    one_left = shown("--moves", "K", "--json")
    assert re.search(r"^Chance draws [JQ] \(--seed", one_left.stderr, re.M)
    assert "Chance draws" not in shown("--moves", "K Q").stderr
    drawn = {
        json.loads(shown("--seed", str(s), "--json").stdout)["moves"][0]
        for s in range(9)
    }
    assert len(drawn) > 1
