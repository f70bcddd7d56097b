"""What pages are told of errors."""

import logging

from playout.core.errors import UsageError
from playout.ui.web.outbox import sentence


def test_a_fault_of_ones_own_is_logged_and_its_text_not_sent(caplog) -> None:
    with caplog.at_level(logging.ERROR, "playout"):
        assert sentence(UsageError("no such move")) == "no such move"
        assert not caplog.records
        assert sentence(KeyError("secret")) == "a fault of the server: KeyError"
    [record] = caplog.records
    assert isinstance(record.exc_info[1], KeyError)
