"""Whether processes that compute together have come to the same collective.

Note [Agreement]: each message of a collective carries the digest of what its process
computes: the kind, and the dtype, shape and name of each tensor. The compiled program
compares those of all before it moves any values (lower.processes), so that all
processes learn at once that they differ, and no values are mixed up. Then each tells
the others by the list of processes what it wanted, and all raise the same error. The
processes are in step still.
"""

import contextlib
import functools
import hashlib
import json
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from twinflow.base import errors
from twinflow.base.annotations import Array

_LOOK = 0.01  # seconds between two looks at what the others have told
_SECONDS = 10.0  # for all to tell it


class Collective(NamedTuple):
    """What a process asks all to do together.

    Args:
        kind: as "sum", "gather" or "broadcast of process 0".
        tensors: (dtype, shape, name) of each; a size of None may differ.
    """

    kind: str
    tensors: tuple

    @property
    def digest(self) -> bytes:
        """16 bytes, which differ where anything does."""
        return _digest(self)

    def told(self) -> str:
        """It as a text for other processes."""
        return json.dumps([self.kind, *[_named(*t) for t in self.tensors]])


def collective(
    kind: str, arrays: Sequence[Array], names: Sequence[str] = (), free: bool = False
) -> Collective:
    """The collective of some arrays.

    Args:
        kind: what becomes of them. names: of the arrays, where they have any.
        free: whether they may differ in their first sizes.
    """
    names = names if len(names) == len(arrays) else [""] * len(arrays)
    tensors = tuple([
        (a.dtype, (None, *a.shape[1:]) if free and a.ndim else a.shape, name)
        for a, name in zip(arrays, names, strict=True)
    ])  # fmt: skip
    return Collective(kind, tensors)


@functools.lru_cache(1 << 10)
def _digest(asked: Collective) -> bytes:
    return hashlib.blake2b(asked.told().encode(), digest_size=16).digest()


def _named(dtype: Any, shape: Sequence, name: str) -> str:
    sizes = ",".join("?" if n is None else str(n) for n in shape)
    return f"{dtype}[{sizes}]" + f" {name!r}" * bool(name)


def difference(
    runtime: Any, rank: int, count: int, asked: Collective
) -> errors.OpError:
    """The error for processes that have come to different collectives.

    Args:
        runtime: of lower.processes. rank: of this process.
        count: the number of the collective. asked: what this process wanted.
    """
    key, told = f"asked/{count}/", {rank: asked.told()}
    end = time.monotonic() + _SECONDS
    with contextlib.suppress(Exception):  # the error says what is known
        runtime.say(f"{key}{rank}", told[rank])
        while len(told) < runtime.size and time.monotonic() < end:
            time.sleep(_LOOK)
            said = runtime.said(key)
            told |= {int(k.rpartition("/")[2]): text for k, text in said.items()}
    return errors.FailedPreconditionError(
        None, None,
        f"Processes have come to different collectives, at number {count}: "
        f"{_compared({r: json.loads(t) for r, t in sorted(told.items())})}. All "
        "processes must come to the same ones in the same order, with the same shapes, "
        "dtypes and names.",
    )  # fmt: skip


def _compared(told: dict[int, list]) -> str:
    """What each process wants, from the first tensor on in which they differ."""
    wishes: dict = {}
    for rank, (kind, *tensors) in told.items():
        wishes.setdefault((kind, *tensors), []).append(rank)
    length = max(map(len, wishes))
    padded = [(*w, *[""] * (length - len(w))) for w in wishes]
    differs = [len(set(column)) > 1 for column in zip(*padded, strict=True)]
    first = differs.index(True, 1) if any(differs[1:]) else 1
    return "; ".join(
        f"{_who(ranks)} the {_wish(wish, first)}" for wish, ranks in wishes.items()
    )


def _wish(wish: tuple, first: int) -> str:
    kind, *tensors = wish
    if len(tensors) == 1:
        return f"{kind} of {tensors[0]}"
    at = tensors[first - 1] if first <= len(tensors) else "missing"
    return f"{kind} of {len(tensors)} tensors, of which number {first} is {at}"


def _who(ranks: list[int]) -> str:
    if len(ranks) == 1:
        return f"process {ranks[0]} computes"
    return f"processes {', '.join(map(str, ranks))} compute"
