"""Places: where passes over data are, so that others may go on from there.

Note [Places]: the place of a pass is a list of its label and what `Pass.state` gives:
ints, strings, bytes, arrays, None, lists of these, and elements. `Pass.resume` puts a
pass that has given nothing yet at a place of its like. A place is what the reader has
seen: what threads have computed ahead is part of it. What lives longer than one pass
(the seeds of an epoch, a cache) is a *memory*, with the same two methods, kept by the
Env that starts the dataset (functions.Env.kept); `functions.Run` is both together.
"""

import contextlib
import threading

import numpy as np

from twinflow.base import errors

_own = threading.local()


def place_of(walker):
    """The place of a pass."""
    return [walker.label, *walker.state()]


def put(walker, place):
    """Let a pass that has given nothing go on from a place.

    Raises:
        InvalidArgumentError: the place is one of another kind of pass.
    """
    label, *state = place
    if label != walker.label:
        raise elsewhere(f"there a {label}, here a {walker.label}")
    walker.resume(*state)


def elsewhere(why):
    """The error for a place of another pipeline."""
    return errors.invalid(
        f"The saved state of the iterator belongs to another input pipeline: {why}. "
        "Restore it into an iterator over a dataset made by the same calls.",
    )


@contextlib.contextmanager
def standing_still():
    """In the block no thread computes ahead, once its pass was asked for its place."""
    if getattr(_own, "held", None) is not None:  # a place inside a place
        yield
        return
    with contextlib.ExitStack() as _own.held:
        try:
            yield
        finally:
            found, _own.held = _own.held, None
            found.close()


def hold(lock):
    """Keep a lock until the block of `standing_still` ends."""
    _own.held.enter_context(lock)


# ---------------------------------------------------------------------- parts
def outcome(element, error):
    """An element, or the error in its place, as part of a place."""
    if error is None:
        return [None, element]
    text = error.message if isinstance(error, errors.OpError) else str(error)
    return [getattr(error, "error_code", errors.UNKNOWN), text]


def of_outcome(told):
    """(element, error) of what `outcome` gave; one of them, or both, are None."""
    code, what = told
    if code is None:
        return None if what is None else element_of(what), None
    return None, errors.exception_type_from_error_code(code)(None, None, what)


def words_of(seeds, given):
    """Seeds and a count as ints: part of a place."""
    return [*map(int, seeds), int(given)]


def element_of(arrays):
    """An element of a place as elements are."""
    return [np.asarray(a) for a in arrays]
