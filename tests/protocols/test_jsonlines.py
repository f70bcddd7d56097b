"""Queries as JSON: what is written can be read again."""

from hypothesis import given
from hypothesis import strategies as st

from playout.protocols import jsonlines


@given(
    st.builds(
        jsonlines.Query,
        action=st.sampled_from(jsonlines.ACTIONS),
        id=st.text() | st.integers(),
        game=st.none() | st.text(),
        moves=st.lists(st.text()).map(tuple),
        position=st.none() | st.text(),
        limit=st.just({}) | st.just({"seconds": 0.5, "simulations": 7}),
        report_every=st.none() | st.floats(0.1, 9),
        terminate=st.text() | st.integers(),
        seed=st.integers(0, 2**63 - 1),
    )
)
def test_json_queries(query):
    line = jsonlines.format_query(query)
    assert "\n" not in line
    assert jsonlines.parse_query(jsonlines.parse_line(line)) == query


def test_who_is_asked_about_the_start_is_told_of_no_moves():
    line = jsonlines.format_query(jsonlines.Query("analyze", 1))
    assert line == '{"id":1,"action":"analyze","moves":[]}'


def test_json_has_no_infinities():
    assert jsonlines.format_line({"a": [float("inf"), 1.5]}) == '{"a":[null,1.5]}'
