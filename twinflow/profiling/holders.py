"""Who holds memory: variables, tapes, tensors that the program keeps."""

import gc
from collections import Counter
from typing import Any

import numpy as np

from twinflow.autodiff.tape import GradientTape
from twinflow.base.state import Cell
from twinflow.eager.tensor import EagerTensor


def found() -> list[tuple[str, int]]:
    """[(who, bytes)], the largest first; an array counts once."""
    seen: set[int] = set()
    held: Counter = Counter()
    everything = gc.get_objects()
    for kind, who in (
        (Cell, _of_cell),
        (GradientTape, _of_tape),
        (EagerTensor, _eager),
    ):
        for x in everything:
            if isinstance(x, kind):
                for name, array in who(x):
                    if id(array) not in seen:
                        seen.add(id(array))
                        held[name] += array.nbytes
    return held.most_common()


def _of_cell(cell: Any) -> list:
    array = getattr(cell, "_array", None)
    if not isinstance(array, np.ndarray):
        return []
    name = getattr(cell, "name", None)
    return [(f"variable {name}" if name else "variables", array)]


def _of_tape(tape: Any) -> list:
    records = getattr(tape, "records", None) or ()
    kept = (x for r in list(records) if isinstance(r, tuple) for x in _parts(r))
    return [("tapes", x._a) for x in kept if isinstance(x, EagerTensor)]


def _parts(record: tuple) -> tuple:
    kept = record[3] if len(record) > 3 else ()
    return kept if isinstance(kept, tuple) else ()


def _eager(tensor: Any) -> list:
    array = getattr(tensor, "_a", None)
    return [("eager tensors", array)] if isinstance(array, np.ndarray) else []
