"""Elements kept from the first pass on: in memory, or in files."""

import contextlib
import itertools
import os

import numpy as np

from twinflow.base import errors, stores
from twinflow.base.files import Exists, translated
from twinflow.data.pipeline.positions import element_of, place_of, put
from twinflow.data.pipeline.stages import Elements, Stage, Staged
from twinflow.formats import checkpoint_v2

_LOCK = ".lockfile"


class Memory:
    """What a whole pass has given; a memory (Note [Places]).

    Attributes:
        kept: the elements. whole: whether they are there.
    """

    def __init__(self):
        self.kept, self.whole = [], False

    def state(self):
        """The elements, once they are there."""
        return [int(self.whole), self.kept]

    def resume(self, whole, kept):
        """Have other elements."""
        self.whole, self.kept = bool(whole), list(map(element_of, kept))

    def read(self, start):
        """The elements from number `start` on."""
        return itertools.islice(self.kept, start, None)

    @contextlib.contextmanager
    def writing(self, mark):
        """Where a pass writes, marked by its bytes; yields the function to end with."""
        yield self._keep

    def _keep(self, seen):
        self.kept, self.whole = seen, True


class Files:
    """As Memory, in the files of a bundle.

    Args:
        prefix: of the files.
    """

    def __init__(self, prefix):
        self.prefix = prefix

    @property
    def whole(self):
        """Whether the files are there."""
        return Exists(checkpoint_v2.index_path(self.prefix))

    def read(self, start):
        """The elements from number `start` on."""
        opened = checkpoint_v2.Bundle(self.prefix)
        count = int(opened.read("components"))
        for i in range(start, int(opened.read("elements"))):
            yield [opened.read(_key(i, c)) for c in range(count)]

    @contextlib.contextmanager
    def writing(self, mark):
        """A lock file refuses two passes that write at once; one that goes on from a
        saved place takes over the lock it had."""
        path = self.prefix + _LOCK
        stores.makedirs(stores.dirname(self.prefix) or ".")
        with translated(path):
            _lock(path, mark)
        try:
            yield lambda seen: _save(seen, self.prefix)
        finally:
            with contextlib.suppress(FileNotFoundError):
                stores.remove(path)


def _lock(path, mark):
    try:
        file = stores.opened(path, "xb")
    except FileExistsError:
        if _content(path) != mark:
            raise _locked(path) from None
        return
    try:
        with file:
            file.write(mark)
    except OSError:
        stores.remove(path)
        raise


def _content(path):
    with stores.opened(path) as file:
        return file.read()


def _locked(path):
    return errors.AlreadyExistsError(
        None, None,
        f"There appears to be a concurrent caching iterator running - cache lockfile "
        f"already exists ('{path}'). If you are sure no other running TF computations "
        "are using this cache prefix, delete the lockfile and re-initialize the "
        "iterator.",
    )  # fmt: skip


class Cached(Stage):
    """The elements of a cache; the first pass to come to its end fills it.

    Args:
        source: of the elements. home: a Memory or Files.
    Attributes:
        start: the number of the first element to read.
        reading: the pass that reads, or writing: the pass of the source.
        seen: what has been written so far.
    """

    def __init__(self, source, home):
        self.source, self.home, self.mark = source, home, os.urandom(8)
        self.reading = self.writing = self.seen = None
        self.start = 0

    def elements(self):
        """Reads or writes: decided when the first element is asked for."""
        if self.writing is None and (self.start or self.home.whole):
            self.reading = Elements(self.home.read(self.start))
            yield from self.reading
        else:
            if self.writing is None:
                self.writing, self.seen = self.source(), []
            with self.home.writing(self.mark) as keep:
                for element in self.writing:
                    self.seen.append(element)
                    yield element
                keep(self.seen)
            self.writing = self.seen = None
        self.over = True

    def state(self):
        read = 0 if self.reading is None else self.reading.state()[0]
        writing = None if self.writing is None else place_of(self.writing)
        return [self.start + read, writing, self.seen, self.mark, int(self.over)]

    def resume(self, start, writing, seen, mark, over):
        self.start, self.mark, self.over = start, mark, bool(over)
        if writing is not None:
            self.writing, self.seen = self.source(), list(map(element_of, seen))
            put(self.writing, writing)


def cached_in_memory(source, memory):
    """The same elements; after a first whole pass they come from a Memory."""
    return lambda: Staged(Cached(source, memory))


def cached_in_files(source, prefix):
    """As `cached_in_memory`, in the files of a bundle: for later programs, too.

    The bundle is there when the first pass has come to its end.
    """
    return lambda: Staged(Cached(source, Files(prefix)))


def _key(element, component):
    return f"{element:09d}_{component:09d}"


def _save(elements, prefix):
    tensors = [
        (_key(i, c), np.asarray(array), None)
        for i, element in enumerate(elements)
        for c, array in enumerate(element)
    ]
    count = len(elements[0]) if elements else 0
    for name, number in ("components", count), ("elements", len(elements)):
        tensors.append((name, np.array(number, np.int64), None))
    checkpoint_v2.write_bundle(prefix, tensors)
