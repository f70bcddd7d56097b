"""What may be wrong with rules that are played: a number for kernels, and words."""

from __future__ import annotations

from typing import Any

__all__ = [
    "CHANCES",
    "DISORDER",
    "ESTIMATE",
    "FAULTS",
    "INDEX",
    "NOBODY",
    "NOTHING",
    "NOT_URGENT",
    "NO_ACTION",
    "NO_END",
    "NO_OUTCOME",
    "RETURN",
    "REWARD",
    "ROLLOUT",
    "SUM",
    "TOO_MANY",
    "fault_of_actions",
    "fault_of_urgent",
]

#: What a walk may find.
(
    NOTHING, NO_ACTION, TOO_MANY, DISORDER, RETURN, NOBODY, CHANCES,
    NO_OUTCOME, ESTIMATE, NOT_URGENT, ROLLOUT, SUM, REWARD, INDEX, NO_END,
) = range(15)  # fmt: skip
#: How each is said; `{}` is what returns must be.
FAULTS = (
    "",
    "law 1: legal_actions returned 0 or less though is_terminal is false",
    "law 2: legal_actions returned more than num_actions",
    "law 2: legal_actions are not ascending, distinct and in 0 .. num_actions - 1",
    "law 4: returns are not all {}",
    "law 5: current_player is not in 0 .. num_players - 1, nor CHANCE where "
    "`has_chance = True`",
    "law 10: the probabilities of chance's outcomes are not above 0, or not 1 in all",
    "law 10: sample_chance drew what is no outcome",
    "law 12: evaluate is not {}, or in a zero-sum game not 0 in all; or prior "
    "is below 0, or 0 for all",
    "law 2: urgent_actions are not ascending and distinct among the legal actions",
    "law 13: rollout does not play to the end, or says it played nothing or too much",
    "law 4: the returns of a zero-sum game do not add up to 0",
    "law 14: rewards are not finite, or of the players of a zero-sum game not 0 in all",
    "law 2: count_legal, nth_legal and index_of are not as legal_actions says",
    "law 1: legal_actions returned more than 0 though is_terminal is true",
)


def fault_of_actions(actions: Any, count: int) -> int:
    """What is wrong with a list of legal actions, as one of the faults."""
    if count <= 0:
        return NO_ACTION
    if count > len(actions):
        return TOO_MANY
    before = -1
    for index in range(count):
        if actions[index] <= before or actions[index] >= len(actions):
            return DISORDER
        before = actions[index]
    return NOTHING


def fault_of_urgent(urgent: Any, num_urgent: int, actions: Any, count: int) -> int:
    """What is wrong with urgent actions, as one of the faults."""
    if not 0 <= num_urgent <= count:
        return NOT_URGENT
    at = 0
    for index in range(num_urgent):
        while at < count and actions[at] < urgent[index]:
            at += 1
        if at == count or actions[at] != urgent[index]:
            return NOT_URGENT
        at += 1
    return NOTHING
