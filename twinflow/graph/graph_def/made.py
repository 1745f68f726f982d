"""What a node of ours needs beyond the attributes that TensorFlow's has.

Each rule gives one attribute of a new node, from its inputs and TensorFlow's
attributes: ``(graph, op, args, attrs, name) -> value``. Those in RULES make the node
itself, where it takes other inputs than TensorFlow's.
"""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from twinflow.base.op import Op
from twinflow.base.op_lookup import known_op
from twinflow.graph.graph_def import held
from twinflow.graph.graph_def.own import op_def
from twinflow.ops.debugging.print import Count
from twinflow.ops.nn.unigrams import Counts
from twinflow.ops.queues import ops as queue_ops
from twinflow.ops.queues import reader_ops, resource_names, staging_ops
from twinflow.ops.queues.accumulator_cells import AccumulatorCell, SparseAccumulatorCell
from twinflow.ops.queues.barrier_cells import BarrierCell
from twinflow.ops.queues.batching import BatchCell, PartsCell
from twinflow.ops.queues.cells import QueueCell
from twinflow.ops.random.streams import stream_of, stream_of_seeds
from twinflow.ops.sparse.map import SparseTensorsMap
from twinflow.ops.tables.cells import TableCell

if TYPE_CHECKING:
    from twinflow.graph.graph import Graph


RULES: dict[str, Callable] = {}  # op type: (graph, name, args, attrs) -> None


def rule_of(op: Op) -> Callable | None:
    """The rule that makes a node of an op, or None."""
    if "dataset" in op.sig.attrs:
        known_op("RangeDataset")  # whose module fills RULES
    return RULES.get(op.type)


def complete(graph: "Graph", op: Op, args: list, attrs: dict, name: str) -> dict:
    """The attributes that the op of ours takes, of those that the NodeDef has."""
    chosen = {k: attrs.get(k, v) for k, v in op.sig.attrs.items()}
    for key in chosen.keys() - op_def(op).attrs.keys():
        rule = _BY_OP.get((op.type.removesuffix("V2"), key)) or _BY_NAME.get(key)
        if rule is not None and (op.home is None or key != op.cell):
            chosen[key] = rule(graph, op, args, attrs, name)
    held.check(graph, op, args, chosen, name)
    return chosen


def _stream(graph: Any, op: Any, args: Any, attrs: dict, name: str) -> Any:
    """The draws of a random op: from its seeds, or those of the graph."""
    seeds = attrs.get("seed", 0), attrs.get("seed2", 0)
    return stream_of_seeds(seeds) if any(seeds) else stream_of(op.type, None)[0]


def _shape(graph: "Graph", op: Any, args: list, attrs: Any, name: str) -> Any:
    """The shape of the variable that a handle stands for."""
    if graph.eager and op.type == "AssignVariableOp":
        return None  # the handle takes what it gets, as in TensorFlow
    cell = held.cell_of(args[0][0] if type(args[0]) is list else args[0])
    return cell.shape if cell is not None else None


def _shared(family: str, make: Callable) -> Callable:
    """A rule for a cell that all nodes with one shared name have."""

    def rule(graph: Any, op: Any, args: Any, attrs: dict, name: str) -> Any:
        shared = attrs.get("shared_name")

        def made() -> Any:
            return make(op.type.removesuffix("V2"), args, attrs, name)

        return resource_names.shared(family, shared, made) if shared else made()

    return rule


def _queue(kind: Any, args: Any, attrs: dict, name: str) -> Any:
    asked = {k: v for k, v in attrs.items() if k != "container"}
    spec = queue_ops.spec_of(kind, **asked)
    return QueueCell(name, spec, attrs["shared_name"])


def _reader(kind: Any, args: Any, attrs: dict, name: str) -> Any:
    rest = {k: v for k, v in attrs.items() if k not in ("container", "shared_name")}
    records = functools.partial(reader_ops.FORMATS[kind], **rest)
    return reader_ops.ReaderCell(name, kind, records, kind in reader_ops.SAVING)


def _accumulator(kind: Any, args: Any, attrs: dict, name: str) -> Any:
    cell = SparseAccumulatorCell if kind.startswith("Sparse") else AccumulatorCell
    shared = attrs["shared_name"]
    return cell(name, attrs["shape"], attrs["reduction_type"], shared)


def _table(kind: Any, args: Any, attrs: dict, name: str) -> Any:
    key = attrs.get("key_dtype") or args[0].dtype
    shape = attrs.get("value_shape", ())
    return TableCell(name, key, attrs["value_dtype"], shape, kind == "HashTable")


def _map(kind: Any, args: Any, attrs: dict, name: str) -> Any:
    return SparseTensorsMap(attrs["shared_name"] or name)


_BY_NAME = {
    "stream": _stream,
    "shape": _shape,
    "count": lambda *_: Count(),
    "counts": lambda *_: Counts(),
    "tensors_map": _shared("sparse map", _map),
}


def _barrier(kind: Any, args: Any, attrs: dict, name: str) -> Any:
    types, shapes = attrs["component_types"], attrs["shapes"]
    return BarrierCell(name, types, shapes, attrs["shared_name"])


def _staging(graph: Any, op: Any, args: Any, attrs: dict, name: str) -> Any:
    limits = attrs["capacity"], attrs["memory_limit"]
    known = attrs["shared_name"] or name
    return staging_ops.area(staging_ops.KINDS[op.type], known, *limits)


def _together(kind: Any) -> Callable:
    """A rule for the cell of calls that become one batch."""
    return _shared(kind.__name__, lambda kind_, args, attrs, name: kind(name))


_QUEUES = ("FIFOQueue", "PaddingFIFOQueue", "PriorityQueue", "RandomShuffleQueue")
_TABLES = (
    "HashTable", "MutableHashTable", "MutableHashTableOfTensors",
    "MutableDenseHashTable",
)  # fmt: skip
_ACCUMULATORS = ("ConditionalAccumulator", "SparseConditionalAccumulator")
_CELLS = {
    **dict.fromkeys(_QUEUES, _shared("queue", _queue)),
    **dict.fromkeys(_TABLES, _shared("table", _table)),
    **dict.fromkeys(_ACCUMULATORS, _shared("accumulator", _accumulator)),
    "Barrier": _shared("barrier", _barrier),
    "Batch": _together(BatchCell),
    **dict.fromkeys(("Unbatch", "UnbatchGrad"), _together(PartsCell)),
    **dict.fromkeys(staging_ops.KINDS, _staging),
    **dict.fromkeys(reader_ops.FORMATS, _shared("reader", _reader)),
}
_BY_OP = {(kind, "cell"): rule for kind, rule in _CELLS.items()}
