"""`playout cache`: what is compiled already, and where it is kept."""

from __future__ import annotations

import click

from ....core.errors import PlayoutError
from ..options import HelpfulCommand

__all__ = ["cache"]


@click.command(cls=HelpfulCommand)
@click.option("--clear", is_flag=True, help="Remove all of it.")
def cache(clear: bool) -> None:
    """Show where compiled rules are kept, and how much there is.

    Entries are never stale: edited rules are compiled anew. Where all take more than
    512 MiB, those not used for longest are removed. The environment variable
    PLAYOUT_CACHE_DIR names another place.

    Examples:
      playout cache
      playout cache --clear
    """
    from ....core.jit.cache import cache_directory, cache_entries, clear_cache

    click.echo(f"directory  {cache_directory()}")
    entries, errors = clear_cache() if clear else (cache_entries(), {})
    size = f"{sum(entry.size for entry in entries) / 1e6:.1f} MB"
    if clear:
        click.echo(f"removed    {len(entries)} entries, {size}")
    else:
        click.echo(f"entries    {len(entries)}\nsize       {size}")
    if errors:
        path, error = next(iter(errors.items()))
        raise PlayoutError(
            f"{len(errors)} could not be removed, such as {path} ({error.strerror}); "
            "see to it that you may write there, then clear the cache again"
        )
