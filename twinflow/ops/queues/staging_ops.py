"""The ops on staging areas, which have no handles: a shared name says which it is."""

import numpy as np

from twinflow.base import dispatch
from twinflow.base.op import define
from twinflow.ops.core.infer import scalar
from twinflow.ops.core.versions import nothing
from twinflow.ops.queues.resource_names import shared
from twinflow.ops.queues.staging_cells import ListCell, MapCell

_eager_areas: dict = {}  # by kind and name


def area(kind, shared_name, capacity, memory_limit):
    """The cell of an area of the current graph, made at its first use."""

    def make():
        return kind(shared_name, capacity, memory_limit)

    family = kind.__name__
    if dispatch.current_mode().variable_owner().eager:
        key = family, shared_name
        return _eager_areas.get(key) or _eager_areas.setdefault(key, make())
    return shared(family, shared_name, make)


KINDS: dict = {}  # the classes of the cells of ops, by their types


def _define(op_type, infer, kernel, cell=ListCell):
    KINDS[op_type] = cell
    return define(
        op_type, infer, host=kernel, attrs={"cell": None}, cell="cell", stateful=True
    )


def _unknown(*_, dtypes, **__):
    return (None,) * len(dtypes)


# ---------------------------------------------------------------------- in order
def _stage(values, cell, **_):
    cell.put(values)
    return ()


def _unstage(cell, **_):
    return cell.get()


def _peek(index, cell, **_):
    return cell.peek(int(index))


def _clear(cell, **_):
    cell.clear()
    return ()


def _size(cell, **_):
    return np.int32(cell.size())


Stage = _define("Stage", nothing, _stage)
Unstage = _define("Unstage", _unknown, _unstage)
StagePeek = _define("StagePeek", _unknown, _peek)
StageSize = _define("StageSize", scalar, _size)
StageClear = _define("StageClear", nothing, _clear)


# ---------------------------------------------------------------------- by key
def _map_stage(key, indices, values, cell, dtypes, **_):
    cell.put(int(key), _ints(indices), values, len(dtypes))
    return ()


def _map_unstage(key, indices, cell, **_):
    return cell.get(int(key), _ints(indices))


def _map_peek(key, indices, cell, **_):
    return cell.get(int(key), _ints(indices), remove=False)


def _taking_any(ordered):
    def kernel(indices, cell, **_):
        key, values = cell.get_any(_ints(indices), ordered)
        return [np.int64(key), *values]

    return kernel


def _with_key(*_, dtypes, **__):
    return ((), *(None,) * len(dtypes))


def _incomplete(cell, **_):
    return np.int32(cell.incomplete_size())


def _ints(indices):
    return np.ravel(indices).tolist()


def _map_ops(prefix):
    """The seven ops of one kind of map, in the order of `MapOps`."""
    facts = (
        ("Stage", nothing, _map_stage),
        ("Unstage", _unknown, _map_unstage),
        ("UnstageNoKey", _with_key, _taking_any(prefix != "Map")),
        ("Peek", _unknown, _map_peek),
        ("Size", scalar, _size),
        ("IncompleteSize", scalar, _incomplete),
        ("Clear", nothing, _clear),
    )
    return {k: _define(f"{prefix}{k}", i, kernel, MapCell) for k, i, kernel in facts}


MapOps, OrderedMapOps = _map_ops("Map"), _map_ops("OrderedMap")
