"""`twinflow run --since 0.8`: the door gives the names of before 1.0 as well.

The script is read as it stands: the modules that it imports have more names, and some
functions are those of old.
"""

import functools
from pathlib import Path

from twinflow.base import spawn_hooks
from twinflow.base.public_index import sections, table
from twinflow.compat.door import homes

_TOP = "top"


def version_of(text: str) -> tuple[int, int] | None:
    """(major, minor) of a version such as "0.8" or "0.12.1"; None for other texts."""
    parts = text.split(".")
    if len(parts) < 2 or not all(p.isdigit() for p in parts):
        return None
    return int(parts[0]), int(parts[1])


@functools.cache
def names() -> dict[str, dict[str, str]]:
    """{path of a module: {name: where twinflow has it}}."""
    found = {}
    for path, text in sections(Path(__file__).with_name("names.txt")).items():
        listed = table(text) if text.strip() else {}
        found["" if path == _TOP else path] = {
            name: f"twinflow.{home}" + ("" if attribute == "*" else f":{attribute}")
            for name, (home, attribute) in listed.items()
        }
    return found


def serve(since: str) -> None:
    """Let the door's modules have the names of a version, here and in processes begun.

    Raises:
        ValueError: it is no version.
    """
    version = version_of(since)
    if version is None:
        raise ValueError(
            f"--since is a version of TensorFlow such as 0.8, not {since!r}"
        )
    if version >= (1, 0):
        return
    for path, entries in names().items():
        homes.NAMES[path] = {**homes.NAMES.get(path, {}), **entries}
    spawn_hooks.call_first(functools.partial(serve, since))
