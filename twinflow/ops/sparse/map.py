"""Sparse tensors kept aside under a number, to travel through queues as one.

Each session has its own map; an op that adds and one that takes share it by its name.
"""

import itertools

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.state import Cell
from twinflow.ops.sparse.serialize import check_rows, rows_of, stacked
from twinflow.ops.sparse.tensor import SparseTensor, sparse_input


class SparseTensorsMap(Cell):
    """The home of sparse tensors that were put aside, by number."""

    __slots__ = ("_kept", "_next")

    def __init__(self, name):
        super().__init__(name, dtypes.variant, ())
        self._kept: dict = {}
        self._next = itertools.count()

    def put(self, parts):
        """Keep (indices, values, shape); returns its number."""
        number = next(self._next)
        self._kept[number] = parts
        return number

    def take(self, number):
        """Give back what has that number, and forget it."""
        if number not in self._kept:
            raise invalid(f"Unable to find SparseTensor: {number} in map: {self.name}")
        return self._kept.pop(number)

    def fresh(self):
        """An empty map of the same name."""
        return SparseTensorsMap(self.name)

    def __deepcopy__(self, memo):
        return self.fresh()

    def __reduce__(self):
        return SparseTensorsMap, (self.name,)


def _add(indices, values, shape, container, shared_name, tensors_map):
    return np.int64(tensors_map.put((indices, values, shape)))


def _add_many(indices, values, shape, container, shared_name, tensors_map):
    found = [tensors_map.put(parts) for parts in rows_of(indices, values, shape)]
    return np.array(found, np.int64)


def _take_many(sparse_handles, dtype, container, shared_name, tensors_map):
    parts = [tensors_map.take(n) for n in sparse_handles.tolist()]
    ranks = [len(shape) + 1 for _, _, shape in parts]  # with the axis of the parts
    for i, (before, rank) in enumerate(itertools.pairwise(ranks), 1):
        if rank != before:
            raise invalid(
                "Inconsistent rank across SparseTensors: rank prior to "
                f"SparseTensor[{i}] was: {before} but rank of SparseTensor[{i}] is: "
                f"{rank}"
            )
    return stacked(parts, (len(parts),), dtype)


AddSparseToTensorsMap = define(
    "AddSparseToTensorsMap",
    attrs={"tensors_map": None},
    infer=lambda *_, **__: (),
    host=_add,
    cell="tensors_map",
    stateful=True,
)

AddManySparseToTensorsMap = define(
    "AddManySparseToTensorsMap",
    attrs={"tensors_map": None},
    infer=lambda *_, **__: (None,),
    host=_add_many,
    check=check_rows,
    cell="tensors_map",
    stateful=True,
)

TakeManySparseFromTensorsMap = define(
    "TakeManySparseFromTensorsMap",
    attrs={"tensors_map": None},
    infer=lambda *_, **__: [(None, None), (None,), (None,)],
    host=_take_many,
    cell="tensors_map",
    stateful=True,
)


def _map_of(op, container, shared_name, name):
    """The map of the current graph (or of eager mode) with that name."""
    mode = dispatch.current_mode()
    if not shared_name:
        own = name or op.type
        shared_name = own if mode.eager else mode.unique_name(own, False)
    maps = mode.variable_owner().state.setdefault("sparse_maps", {})
    key = (container or "", shared_name)
    if key not in maps:
        maps[key] = SparseTensorsMap(shared_name)
    return maps[key]


def _added(op, sp_input, container, shared_name, name):
    sp = sparse_input(sp_input)
    attrs = {
        "container": container or "",
        "shared_name": shared_name or "",
        "tensors_map": _map_of(op, container, shared_name, name),
    }
    return apply(op, sp._components(), attrs, name)


def add_sparse_to_tensors_map(sp_input, container=None, shared_name=None, name=None):
    """Put a SparseTensor aside; returns its number, an int64 scalar.

    Args:
        sp_input: a SparseTensor. name: the name of the node in a graph.
        container, shared_name: which map; by default one of this node's own.
    """
    return _added(AddSparseToTensorsMap, sp_input, container, shared_name, name)


def add_many_sparse_to_tensors_map(
    sp_input, container=None, shared_name=None, name=None
):
    """Put the rows of a SparseTensor aside; returns their numbers, int64[rows].

    Args: see `add_sparse_to_tensors_map`; the SparseTensor has at least two axes.
    """
    return _added(AddManySparseToTensorsMap, sp_input, container, shared_name, name)


def take_many_sparse_from_tensors_map(
    sparse_map_op, sparse_handles, rank=None, name=None
):
    """Take SparseTensors back, as one with one more axis in front.

    Args:
        sparse_map_op: the node that put them aside. sparse_handles: int64[n].
        rank: the number of axes of the result, where it is known.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: a number was never given, or is taken already.
    """
    attrs = {
        "dtype": sparse_map_op.inputs[1].dtype,
        "container": sparse_map_op.attrs["container"],
        "shared_name": sparse_map_op.attrs["shared_name"] or sparse_map_op.name,
        "tensors_map": sparse_map_op.attrs["tensors_map"],
    }
    out = apply(TakeManySparseFromTensorsMap, (sparse_handles,), attrs, name)
    if rank is not None:
        out[0].set_shape([None, rank])
        out[2].set_shape([rank])
    return SparseTensor(*out)
