"""`twinflow cache`: the compiled programs that are kept on disk."""

import time

from twinflow.base import compile_cache
from twinflow.cli import drawing


def ls(as_json: bool) -> int:
    """List them."""
    found = compile_cache.entries()
    if as_json:
        drawing.write_json([e._asdict() for e in found])
        return 0
    rows = [
        (f"{e.bytes:,d} bytes", time.strftime("%Y-%m-%d %H:%M", time.localtime(e.used)),
         e.path.name)
        for e in found
    ]  # fmt: skip
    drawing.show(rows, ("size", "last used", "file"), right=("size",))
    return _told(found, "in")


def clear() -> int:
    """Remove them."""
    return _told(compile_cache.clear(), "removed from")


def _told(found: list, done: str) -> int:
    total = sum(entry.bytes for entry in found)
    print(f"{len(found)} files, {total:,d} bytes {done} {compile_cache.root()}")
    return 0
