"""Elements kept from the first pass on: in memory, or in files."""

import os

import numpy as np

from twinflow.base import bundle, errors
from twinflow.base.files import Exists
from twinflow.data.iterators import Elements

_LOCK = ".lockfile"


def cached_in_memory(source):
    """The same elements; after a first whole pass they come from memory."""
    kept: list = []
    whole = False

    def start():
        nonlocal kept, whole
        if whole:
            yield from kept
            return
        seen = []
        for element in source():
            seen.append(element)
            yield element
        kept, whole = seen, True

    return lambda: Elements(start())


def cached_in_files(source, prefix):
    """As `cached_in_memory`, in the files of a bundle: for later programs, too.

    The bundle is there when the first pass has come to its end. A lock file refuses
    two passes that write at once.
    """

    def start():
        if Exists(bundle.index_path(prefix)):
            yield from _read(prefix)
        else:
            yield from _write(source, prefix)

    return lambda: Elements(start())


def _key(element, component):
    return f"{element:09d}_{component:09d}"


def _read(prefix):
    opened = bundle.Bundle(prefix)
    count = int(opened.read("components"))
    for i in range(int(opened.read("elements"))):
        yield [opened.read(_key(i, c)) for c in range(count)]


def _write(source, prefix):
    os.makedirs(os.path.dirname(prefix) or ".", exist_ok=True)
    try:
        os.close(os.open(prefix + _LOCK, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        raise errors.AlreadyExistsError(
            None, None,
            f"There appears to be a concurrent caching iterator running - cache "
            f"lockfile already exists ('{prefix}{_LOCK}'). If you are sure no other "
            "running TF computations are using this cache prefix, delete the lockfile "
            "and re-initialize the iterator.",
        ) from None  # fmt: skip
    try:
        kept = []
        for element in source():
            kept.append(element)
            yield element
        _save(kept, prefix)
    finally:
        os.unlink(prefix + _LOCK)


def _save(elements, prefix):
    tensors = [
        (_key(i, c), np.asarray(array), None)
        for i, element in enumerate(elements)
        for c, array in enumerate(element)
    ]
    count = len(elements[0]) if elements else 0
    for name, number in ("components", count), ("elements", len(elements)):
        tensors.append((name, np.array(number, np.int64), None))
    bundle.write_bundle(prefix, tensors)
