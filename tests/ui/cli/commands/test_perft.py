"""`playout perft`."""

from tests.ui.support import LINE, output_of, run


def test_perft():
    assert output_of("perft", "tic-tac-toe", "5") == "15120\n"
    assert output_of("perft", "tic-tac-toe", "0") == "1\n"


def test_perft_divide_adds_up():
    *rows, total = output_of("perft", "tic-tac-toe", "3", "--divide").splitlines()
    assert total == "504"
    assert len(rows) == 9
    assert sum(int(row.split()[1]) for row in rows) == 504


def test_perft_from_a_position():
    assert output_of("perft", LINE, "1", "--moves", "a1") == "2\n"
    assert output_of("perft", LINE, "2", "--divide", "--moves", "b1 a1 c1") == "0\n"


def test_compiling_is_announced(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    result = run("perft", "mnk:m=2,n=2,k=2", "2")
    assert result.stdout == "12\n"
    assert result.stderr.splitlines() == [
        "Compiling MNK's rules for the first time (then kept on disk) ..."
    ]
