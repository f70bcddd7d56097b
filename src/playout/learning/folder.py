"""The settings with which a training in a folder goes on."""

from __future__ import annotations

from pathlib import Path

from ..core.errors import UsageError
from ..core.text.spec import NETWORK_FILES
from ..players.networks import read_card
from .config import TrainConfig, from_dict, read_config

__all__ = ["read_settings"]


def read_settings(
    folder: Path, config: str | None, kind: str | None, resume: bool
) -> tuple[TrainConfig, str]:
    """The configuration and the kind: what is given now, else what there was.

    Args:
        folder: of the training.
        config: a file of TOML, if one is given.
        kind: `onnx` or `native`, if it is given.
        resume: whether a training goes on, whose card says how it was made.

    Raises:
        UsageError: the file is wrong, or the card; or a network would have to be of
            another kind or shape than it is.
    """
    card = folder / NETWORK_FILES[0]
    if not (resume and card.exists()):
        return read_config(config), kind or "onnx"
    known = read_card(folder)
    try:
        before, its_kind = from_dict(known["training"]["config"]), str(known["kind"])
    except (KeyError, TypeError, UsageError) as error:
        raise UsageError(f"{card} is damaged: {error}") from None
    told = before if config is None else read_config(config)
    if kind not in (None, its_kind):
        raise UsageError(f"{folder} holds a network of the kind {its_kind}, not {kind}")
    if told.shape(its_kind) != before.shape(its_kind):
        raise UsageError(
            f"{config}: the network in {folder} is {before.network_text(its_kind)!r} "
            "and cannot become another; name another folder"
        )
    return told, its_kind
