"""The API against its own description: whatever it allows, the server survives."""

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from playout.ui.web.app import make_app

from .support import server

#: Which games, players and moves there are is not said by a schema.
LEGALITY = positive_data_acceptance

schema = schemathesis.openapi.from_dict(make_app().openapi())


@pytest.fixture(scope="module")
def address():
    with server() as running:
        yield running.address.rstrip("/")


@schema.parametrize()
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
def test_the_description_is_kept(case, address):
    case.call_and_validate(base_url=address, excluded_checks=[LEGALITY])
