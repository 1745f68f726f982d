"""The values that the nodes of a graph have in one run, as eager tensors."""

from typing import Any

import numpy as np

from twinflow.base import dispatch
from twinflow.base.state import Cell
from twinflow.base.watching import OpRun, Watcher, watched_by


class Values(Watcher):
    """Keeps the last inputs and outputs of each node that runs."""

    def __init__(self) -> None:
        self.found: dict = {}

    def ended(self, run: OpRun) -> None:
        if run.node is not None:
            self.found[run.node] = list(run.inputs), list(run.outputs or ())


def values_of(target: Any, session: Any, feed_dict: Any) -> dict:
    """{Node: (inputs, outputs)} of a run of `target`, lists of eager tensors."""
    watcher = Values()
    with watched_by(watcher):
        session.run(target, feed_dict)
    return {node: _tensors(node, *pair) for node, pair in watcher.found.items()}


def _tensors(node: Any, inputs: list, outputs: list) -> tuple[list, list]:
    ins = [
        [_one(v, t) for v, t in zip(a, given, strict=True)] if isinstance(given, list)
        else a if spec.host else _one(a, given)
        for a, given, spec in _aligned(node, inputs)
    ]  # fmt: skip
    return ins, [_one(v, t) for v, t in zip(outputs, node.outputs, strict=False)]


def _aligned(node: Any, inputs: list) -> list[tuple]:
    specs = node.opdef.sig.inputs
    return list(zip(inputs, node.args(), specs, strict=False))


def _one(value: Any, like: Any) -> Any:
    """An eager tensor with the id of the graph's; of a cell, its handle."""
    if isinstance(value, Cell):
        handle = dispatch.new(dispatch.EagerTensor)
        handle._a, handle.dtype, handle._id = value, like.dtype, like._id
        return handle
    if not isinstance(value, np.ndarray | np.generic):
        return value
    t = dispatch.wrap(value, like.dtype.base_dtype)
    t._id = like._id
    return t
