"""What a notebook shows of datasets and iterators; see Note [Cards].

Note [First elements]: a card of a dataset has its first elements where taking them
changes nothing and ends soon: eagerly, from tensors and ranges, through transforms that
draw, write and call nothing of Python's. Shuffling, caches and work ahead are left out
on the way (the order is then that before the shuffling); repeats end. Files and
generators are not opened.
"""

import itertools
import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from twinflow import drawing
from twinflow.base import dispatch
from twinflow.base.errors import OpError
from twinflow.data.draws import every_node
from twinflow.data.functions import Env, Run
from twinflow.data.pipeline import stages
from twinflow.data.structure import is_nested

_SHOWN = 3  # elements
_MOST = 4096  # elements of a source that are taken for them
_MOST_IN_BATCH = 1024
_SECONDS = 0.5  # after which no further element is taken
_SOURCES = ("TensorDataset", "TensorSliceDataset", "RangeDataset")
_PURE = (
    "BatchDataset", "ConcatenateDataset", "PaddedBatchDataset", "RepeatDataset",
    "ShardDataset", "SkipDataset", "TakeDataset", "ZipDataset",
)  # fmt: skip
_LEFT_OUT = ("CacheDataset", "PrefetchDataset", "ShuffleDataset")
_WITH_FUNCTIONS = ("FilterDataset", "MapDataset", "ParallelMapDataset")
_READS = ("ReadVariableOp", "VarHandleOp")


def of_dataset(dataset: Any) -> str:
    """The transforms of a Dataset, its components, and its first elements."""
    chain = list(_chain(dataset))
    steps = " → ".join(d._kind.removesuffix("Dataset") or "Dataset" for d in chain)
    try:
        elements, words = _first(dataset, chain), "the first elements"
        if any(d._kind == "ShuffleDataset" for d in chain):
            words += ", before they are shuffled"
    except _NotShown as reason:
        elements, words = [], f"elements are not shown: {reason}"
    except (OpError, ValueError, TypeError) as error:
        elements, words = [], f"the first element fails: {error}"
    return drawing.card("Dataset", steps, _parts(dataset.structure, elements), words)


def of_iterator(iterator: Any) -> str:
    """The components of what an iterator gives; nothing is taken from it."""
    title = f"{type(iterator).__name__}: takes elements from a dataset"
    return drawing.card(title, _parts(iterator._structure, []))


class _NotShown(Exception):
    """Why no elements are taken."""


def _chain(dataset: Any) -> Iterator[Any]:
    """The datasets on the way to this one, from the source."""
    if dataset._before:
        yield from _chain(dataset._before[0])
    yield dataset


def _parts(structure: Any, elements: list) -> str:
    names = list(_names(structure.template, ""))
    rows = []
    for name, (leaf, at) in zip(names, structure.leaves, strict=True):
        dtype = structure.types[at.start].name if leaf is None else type(leaf).__name__
        shape = drawing.shape_text(structure.shapes[at.start])
        values = [_value(e[at.start]) if leaf is None else "" for e in elements]
        rows.append((name, dtype, shape, *values))
    numbers = [f"element {i}" for i in range(len(elements))]
    return drawing.table(rows, ("component", "dtype", "shape", *numbers))


def _names(template: Any, name: str) -> Iterator[str]:
    if not is_nested(template):
        yield name or "the element"
    elif isinstance(template, Mapping):
        for key in sorted(template):
            yield from _names(template[key], f"{name}[{key!r}]")
    else:
        for i, part in enumerate(template):
            yield from _names(part, f"{name}[{i}]")


def _value(array: Any) -> str:
    found = np.asarray(array)
    text = np.array2string(found, threshold=6, edgeitems=2, precision=4)
    return " ".join(text.split())


# ------------------------------------------------------------------ first elements
def _first(dataset: Any, chain: list) -> list:
    """The first elements, each a list of arrays.

    Raises:
        _NotShown: taking them might change something, or take long.
    """
    if not dispatch.current_mode().eager:
        raise _NotShown("a graph runs only in a session")
    if dataset.inputs:
        raise _NotShown("they depend on tensors of a graph")
    found: list = []
    until = time.monotonic() + _SECONDS
    for element in itertools.islice(Run(_bounded(chain), Env()), _SHOWN):
        found.append(element)
        if time.monotonic() > until:
            break
    return found


def _bounded(chain: list) -> Any:
    """The dataset at the end of a chain, made so that its first elements come soon."""
    source, *links = chain
    found, size = _source(source), 1
    for dataset in links:
        if dataset._kind in ("ConcatenateDataset", "ZipDataset"):
            found, size = _source(dataset), 1
            continue
        link = dataset._link
        if dataset._kind in _LEFT_OUT:
            continue
        if link is None or dataset._kind not in _PURE + _WITH_FUNCTIONS:
            raise _NotShown(f"{dataset._kind} is not only a matter of its input")
        if dataset._kind in _WITH_FUNCTIONS:
            _check_function(link.facts.get("function"))
            if dataset._kind == "ParallelMapDataset":
                link = link._replace(step=_in_turn(link.facts["function"]))
        if dataset._kind.endswith("BatchDataset"):
            size *= int(np.asarray(Env().value(link.inputs[0])))
            if size > _MOST_IN_BATCH:
                raise _NotShown(f"a batch has {size:,} of them")
        found = found._then(*link[:4], **link.facts)
        if dataset._kind == "RepeatDataset":
            found = found.take(_MOST)
    return found


def _source(dataset: Any) -> Any:
    """A dataset that may be taken from as it is, its beginning."""
    for d in _all(dataset):
        if d._kind not in _SOURCES + _PURE:
            raise _NotShown(f"{d._kind} is not only a matter of its input")
    return dataset.take(_MOST)


def _all(dataset: Any) -> Iterator[Any]:
    yield dataset
    for before in dataset._before:
        yield from _all(before)


def _in_turn(function: Any) -> Any:
    return lambda env, source: stages.mapped(source, function.start(env))


def _check_function(function: Any) -> None:
    """That a function of elements does nothing but compute."""
    if function is None or not hasattr(function, "graph"):
        raise _NotShown("a transform is not known")
    for node in every_node(function.graph):
        if node.opdef.stateful and node.type not in _READS:
            raise _NotShown(f"a function of elements runs {node.type}")
