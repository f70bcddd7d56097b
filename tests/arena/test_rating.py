"""Elo, LOS and the sequential test: published figures, laws, and simulated matches.

Also of `arena/likelihood.py`.
"""

import math
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playout.arena.likelihood import log_likelihood_ratio, score_of_elo
from playout.arena.rating import SPRT, Tally, elo, elo_of_score, los, normalized_elo
from playout.core.errors import UsageError

#: fastchess, app/tests/elo_test.cpp: results of A (wins, draws, losses or pentanomial),
#: Elo and its error, normalized Elo and its error, LOS in percent.
FASTCHESS_ELO = [
    ((76, 123, 89), None, None, -20.76, 40.13, 15.53),
    ((136, 111, 96), 40.70, 30.43, 49.77, 36.77, 99.60),
    ((34, 0, 356), None, None, -508.44, 34.48, None),
    ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 100.00),
    ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 5.05),
    ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65, 0.00),
]
#: fastchess, app/tests/sprt_test.cpp: results, elo0, elo1, model, LLR.
FASTCHESS_LLR = [
    ((36433, 68692, 36027), 0, 2, "normalized", 0.92),
    ((10871, 20431, 10650), -1.75, 0.25, "normalized", 2.30),
    ((21404, 40708, 21184), 0.5, 2.5, "logistic", -1.57),
    ((57433, 106593, 57030), 0, 2, "logistic", -2.59),
    ((365, 16618, 36229, 16974, 390), 0, 2, "normalized", 2.25),
    ((127, 4883, 10712, 5150, 104), -1.75, 0.25, "normalized", 3.01),
    ((223, 9863, 21279, 10037, 246), 0.5, 2.5, "logistic", -3.07),
    ((871, 26175, 55983, 26678, 821), 0, 2, "logistic", -4.98),
]
#: What fastchess printed of real matches, in pull requests of brunocodutra/cinder
#: (numbers in comments): pentanomial, Elo, error, nElo, error, LOS, LLR, elo0, elo1.
FASTCHESS_OUTPUT = [
    # 727
    ((50, 287, 610, 387, 73), 18.04, 8.23, 28.19, 12.84, 100.00, 2.97, 0, 5),
    # 802
    ((363, 3205, 5861, 3376, 414), 3.59, 2.53, 5.93, 4.19, 99.72, 2.91, 0, 3),
    # 778
    ((46, 496, 1073, 640, 79), 15.64, 5.88, 26.56, 9.97, 100.00, 2.89, 0, 3),
    # 795
    ((1447, 13972, 26437, 14412, 1441), 1.29, 1.18, 2.19, 2.00, 98.39, 1.98, 0, 3),
    # 916
    ((339, 4640, 8717, 4594, 403), 0.76, 2.01, 1.33, 3.52, 77.11, 2.89, -3, 1),
]


def tally_of(results: tuple[int, ...]) -> Tally:
    """A tally of games (wins, draws, losses), or of pairs."""
    if len(results) == 3:
        return Tally(*results)
    return Tally(draws=2 * sum(results), pentanomial=results)


def shown(value: float, decimals: int = 2) -> float:
    return round(value, decimals)


def error_of(interval: tuple[float, float, float]) -> float:
    return (interval[2] - interval[1]) / 2


@pytest.mark.parametrize(
    ("results", "difference", "error", "nelo", "nelo_error", "superior"), FASTCHESS_ELO
)
def test_elo_agrees_with_the_tests_of_fastchess(
    results, difference, error, nelo, nelo_error, superior
):
    tally = tally_of(results)
    if difference is not None:
        assert shown(elo(tally)[0]) == difference
        assert shown(error_of(elo(tally))) == error
    assert shown(normalized_elo(tally)[0]) == nelo
    assert shown(error_of(normalized_elo(tally))) == nelo_error
    if superior is not None:
        assert shown(100 * los(tally)) == superior


@pytest.mark.parametrize(("results", "elo0", "elo1", "model", "llr"), FASTCHESS_LLR)
def test_llr_agrees_with_the_tests_of_fastchess(results, elo0, elo1, model, llr):
    assert shown(SPRT(elo0, elo1, model=model).llr(tally_of(results))) == llr


@pytest.mark.parametrize("line", FASTCHESS_OUTPUT)
def test_figures_agree_with_what_fastchess_printed(line):
    results, difference, error, nelo, nelo_error, superior, llr, elo0, elo1 = line
    tally = tally_of(results)
    assert shown(elo(tally)[0]) == difference
    assert shown(error_of(elo(tally))) == error
    assert shown(normalized_elo(tally)[0]) == nelo
    assert shown(error_of(normalized_elo(tally))) == nelo_error
    assert shown(100 * los(tally)) == superior
    assert shown(SPRT(elo0, elo1, model="normalized").llr(tally)) == llr


def test_figures_agree_with_a_statistics_page_of_fishtest():
    """montytest.muzhen.org (a fishtest server), test 69d3c8dc7c5b3724e29d2712.

    The page has H1 at 4 nElo, which the deviation of a game, 0.33946, makes 2.716 Elo.
    """
    tally = tally_of((13, 37, 50, 25, 3))
    assert shown(elo(tally)[0], 4) == -43.6578
    assert shown(normalized_elo(tally)[0]) == -63.97
    assert shown(SPRT(0, 4, model="normalized").llr(tally), 5) == -0.54912
    scores = np.repeat(np.linspace(0, 1, 5), tally.pentanomial)
    deviation = math.sqrt(2 * scores.var())
    h1 = elo_of_score(0.5 + 4 * math.log(10) / 800 * deviation)
    assert shown(deviation, 5) == 0.33946
    assert shown(h1, 3) == 2.716
    assert shown(SPRT(0, h1).llr(tally), 5) == -0.53772
    assert [shown(bound, 4) for bound in SPRT(0, 4).bounds] == [-2.9444, 2.9444]


def test_llr_agrees_with_openbench():
    """Yoshie2000/PlentyChess, pull request 334, and 87flowers/Rose, 101."""
    test = SPRT(0, 2.5, alpha=0.05, beta=0.10, model="normalized")
    assert shown(test.llr(tally_of((214, 8992, 19871, 9102, 235)))) == 0.16
    test = SPRT(0, 5, alpha=0.05, beta=0.10, model="normalized")
    assert shown(test.llr(tally_of((121, 1271, 2666, 1384, 146)))) == 2.91
    assert [shown(bound) for bound in test.bounds] == [-2.25, 2.89]


# -- laws ------------------------------------------------------------------------------

COUNTS = st.tuples(*[st.integers(0, 300)] * 5).filter(any)


@settings(deadline=None)
@given(COUNTS)
def test_swapping_the_players_changes_every_sign(counts):
    one, other = tally_of(counts), tally_of(counts[::-1])
    assert elo(one) == pytest.approx(
        [-value for value in np.array(elo(other))[[0, 2, 1]]]
    )
    assert los(one) == pytest.approx(1 - los(other))
    for model in ("logistic", "normalized"):
        forth = SPRT(-20, 40, model=model).llr(one)
        back = SPRT(-40, 20, model=model).llr(other)
        assert forth == pytest.approx(-back, rel=1e-6, abs=1e-6)


@given(COUNTS)
def test_the_estimate_lies_in_its_interval(counts):
    value, low, high = elo(tally_of(counts))
    assert low <= value <= high
    assert not any(map(math.isnan, normalized_elo(tally_of(counts))))


@given(COUNTS)
def test_llr_is_that_of_the_slow_twin(counts):
    """The likeliest distributions, found by searching along the multiplier."""
    found = SPRT(0, 30).llr(tally_of(counts))
    observed = np.maximum(counts, 1e-3)
    logs = [np.log(likeliest(observed, score_of_elo(side))) for side in (0, 30)]
    assert found == pytest.approx(observed @ (logs[1] - logs[0]), rel=1e-6, abs=1e-6)


def likeliest(observed: np.ndarray, mean: float) -> np.ndarray:
    """The likeliest distribution with a mean: a slow `likelihood._with_mean`."""
    scores = np.linspace(0, 1, len(observed)) - mean
    low, high = -1 / scores.max(), -1 / scores.min()
    for _ in range(200):
        x = (low + high) / 2
        law = observed / observed.sum() / (1 + x * scores)
        low, high = (x, high) if law @ scores > 0 else (low, x)
    return law


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_no_result_gives_no_number_of_the_test(model):
    extremes = np.diag([1.0, 7, 10**6, 100, 300])
    for elo0, elo1 in [(-5, 5), (0, 60), (-100, 100)]:
        ratios = log_likelihood_ratio(extremes, elo0, elo1, model)
        assert np.isfinite(ratios).all()
        assert ratios[0] < 0 < ratios[3] < ratios[4]


def test_a_clean_score_is_infinite_and_bounded_from_below():
    """Players who win fewer than 69 % of pairs rarely win ten of ten."""
    value, low, high = elo(Tally(20, pentanomial=(0, 0, 0, 0, 10)))
    assert value == high == math.inf
    assert score_of_elo(low) ** 10 == pytest.approx(0.025)
    assert elo(Tally(losses=3))[:2] == (-math.inf, -math.inf)
    assert elo(Tally()) == (0, -math.inf, math.inf)
    assert los(Tally(4)) == pytest.approx(0.97725, abs=1e-5)  # two deviations


def test_equal_pairs_leave_room_for_either_side():
    value, low, high = elo(Tally(5, 0, 5, (0, 0, 5, 0, 0)))
    assert (value, low) == (0, -high)
    assert 100 < high < 400
    assert los(Tally(5, 0, 5, (0, 0, 5, 0, 0))) == 0.5


def test_draws_alone_are_no_difference_and_leave_room_for_any():
    assert normalized_elo(Tally(draws=4)) == (0.0, -math.inf, math.inf)


def test_a_test_that_names_nothing():
    """H1 is 10 Elo; one in twenty goes wrong either way."""
    assert SPRT() == SPRT(0.0, 10.0, 0.05, 0.05, "logistic")
    assert SPRT.parse("elo0=0") == SPRT()


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Known Elo, 2,000 matches of 200 pairs: coverage 95 %, wrong by chance 1 in 10^6.

    A binomial count of 2,000 at 0.95 leaves 1849 .. 1944 once in a million.
    """
    rng = np.random.default_rng(1)
    law = pair_law(60)
    truth = elo_of_score(law @ np.linspace(0, 1, 5))
    held = 0
    for counts in rng.multinomial(200, law, size=2000).tolist():
        _, low, high = elo(tally_of(tuple(counts)))
        held += low <= truth <= high
    assert 1849 <= held <= 1944


# -- counting --------------------------------------------------------------------------


@given(st.lists(st.sampled_from([0, 0.5, 1]), max_size=40))
def test_games_of_a_pair_are_put_together(scores):
    tally = Tally.from_results(enumerate_pairs(scores))
    points = [sum(scores[i : i + 2]) for i in range(0, len(scores) - 1, 2)]
    assert tally.pentanomial == tuple(points.count(half / 2) for half in range(5))
    assert tally.games == len(scores)
    assert tally.pairs == len(scores) // 2
    if scores:
        assert tally.score == pytest.approx(np.mean(scores))


def test_the_order_of_finishing_does_not_matter():
    tally = Tally.from_results([(7, 1), (2, 0), (9, 0.5), (7, 0.5), (2, 0)])
    assert tally == Tally(1, 2, 2, (1, 0, 0, 1, 0))


def enumerate_pairs(scores: list[float]) -> list[tuple[int, float]]:
    return [(number // 2, score) for number, score in enumerate(scores)]


@pytest.mark.parametrize("results", [[(0, 0.25)], [(0, 2)], [(3, 1), (3, 1), (3, 0)]])
def test_impossible_results_are_refused(results):
    with pytest.raises(UsageError):
        Tally.from_results(results)


# -- the text of a test ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("elo0=0,elo2=5", "elo2=5"),
        ("elo0", "elo0"),
        ("elo0=x", "elo0 must be a number"),
        ("elo0=nan", "elo0 must be a number"),
        ("elo0=5,elo1=5", "elo0 must be below elo1"),
        ("elo1=5000", "-1000 .. 1000"),
        ("elo1=200,model=normalized", "-100 .. 100"),
        ("alpha=0", "alpha must lie"),
        ("beta=0.7", "beta must lie"),
        ("model=bayesian", "logistic or normalized"),
    ],
)
def test_a_wrong_test_is_refused_with_its_reason(text, complaint):
    with pytest.raises(UsageError, match=complaint):
        SPRT.parse(text)


# -- error rates -----------------------------------------------------------------------

#: Simulated matches of each kind below.
MATCHES = 2000
#: At most this many wrong answers: a test that errs in exactly 5 % of matches exceeds
#: it once in 10^6 runs (binomial quantile), and so does this assertion by chance.
MOST_WRONG = {0.05: 149, 0.10: 267}


def pair_law(mean_elo: float, draws: float = 0.3, bias: float = 0.0) -> np.ndarray:
    """The five probabilities of a pair with this expected Elo.

    Args:
        mean_elo: what A is above B.
        draws: how large a share of the possible draws comes.
        bias: what the opening is worth in Elo, to A in one game and to B in the other.
    """

    def law(strength: float) -> np.ndarray:
        def game(difference: float) -> list[float]:
            score = score_of_elo(difference)
            drawn = 2 * draws * min(score, 1 - score)
            return [1 - score - drawn / 2, drawn, score - drawn / 2]

        return np.convolve(game(strength + bias), game(strength - bias))

    low, high = -2000.0, 2000.0
    for _ in range(60):
        middle = (low + high) / 2
        above = law(middle) @ np.linspace(0, 1, 5) > score_of_elo(mean_elo)
        low, high = (low, middle) if above else (middle, high)
    return law(low)


def accepted(law: np.ndarray, test: SPRT, matches: int = MATCHES) -> tuple[int, int]:
    """How many of the matches accept H0 and H1; all are played side by side.

    Ten pairs are drawn at a time, of which the first at a bound counts.
    """
    rng = np.random.default_rng(3)
    low, high = test.bounds
    counts, h0, h1 = np.zeros((matches, 5)), 0, 0
    while len(counts):
        scores = rng.choice(5, size=(len(counts), 10), p=law)
        after = counts[:, None] + np.eye(5)[scores].cumsum(axis=1)
        rows = after.reshape(-1, 5)
        llr = log_likelihood_ratio(rows, test.elo0, test.elo1, test.model)
        llr = llr.reshape(scores.shape)
        over = (llr <= low) | (llr >= high)
        first = llr[np.arange(len(llr)), over.argmax(axis=1)]
        h0, h1 = h0 + int((first <= low).sum()), h1 + int((first >= high).sum())
        counts = after[~over.any(axis=1), -1]
    assert h0 + h1 == matches
    return h0, h1


@pytest.mark.parametrize(
    ("draws", "bias"),
    [(0.3, 0), (0.0, 300), (0.9, 0)],
    ids=["usual", "biased", "drawn"],
)
@pytest.mark.parametrize(
    "test", [SPRT(0, 60), SPRT(-50, 150, alpha=0.10)], ids=["narrow", "wide"]
)
def test_error_rates_keep_within_alpha_and_beta(test, draws, bias):
    _, wrong = accepted(pair_law(test.elo0, draws, bias), test)
    assert wrong <= MOST_WRONG[test.alpha]
    wrong, _ = accepted(pair_law(test.elo1, draws, bias), test)
    assert wrong <= MOST_WRONG[test.beta]


def test_error_rates_of_the_normalized_test():
    """Of 300 matches; a test that errs in 5 % errs in 37 of them once in 10^6 runs."""
    test = SPRT(0, 100, model="normalized")
    law = np.array([0.1, 0.2, 0.4, 0.2, 0.1])
    _, wrong = accepted(law, test, matches=300)
    assert 0 < wrong <= 36
    wrong, _ = accepted(normalized_law(law, 100), test, matches=300)
    assert 0 < wrong <= 36


def normalized_law(law: np.ndarray, nelo: float) -> np.ndarray:
    """The law tilted towards wins until its normalized Elo is this."""
    steps = accumulate([0.001] * 2000)
    tilted = (law * np.exp(step * np.arange(5)) for step in steps)
    for tilt in tilted:
        tilt /= tilt.sum()
        scores = np.linspace(0, 1, 5)
        mean = tilt @ scores
        deviation = math.sqrt(2 * (tilt @ (scores - mean) ** 2))
        if (mean - 0.5) / deviation * 800 / math.log(10) >= nelo:
            return tilt
    raise AssertionError("the law cannot be tilted so far")


def test_scalar_and_simulated_tests_are_one():
    """The match's own `state` decides as the simulation above does."""
    rng, test = np.random.default_rng(5), SPRT(0, 100)
    counts, states = np.zeros(5, dtype=int), []
    while not states or states[-1] is None:
        counts[rng.choice(5, p=pair_law(200))] += 1
        states.append(test.state(tally_of(tuple(counts.tolist()))))
    assert states[-1] == "accept H1"
    assert test.llr(tally_of(tuple(counts.tolist()))) >= test.bounds[1]
