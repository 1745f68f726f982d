"""What else GraphDefs have around datasets: more kinds of iterators, and of handles."""

import numpy as np

from twinflow.base import dtypes
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.state import Cell
from twinflow.data.functions import Env
from twinflow.data.iterators import ops
from twinflow.data.kernels.values import boxed, dataset_of, form_of
from twinflow.data.pipeline.windows import unboxed
from twinflow.execute.call import program_of
from twinflow.execute.interpreter import special_steps
from twinflow.execute.library_graph import graph_of
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET
from twinflow.ops.core.versions import nothing


def _scalar(*inputs, **attrs):
    return ()


def _as_told(*inputs, output_types=(), output_shapes=None, **attrs):
    """The shapes of outputs that the attributes describe."""
    return list(output_shapes or (None,) * len(output_types))


def _define(kind, infer, host, **facts):
    return define(kind, infer=infer, host=host, stateful=True, **facts)


def _handle(kind, make):
    """Define an op that makes a handle: `make(name, attrs)` gives its cell."""
    return _define(
        kind, _scalar, lambda cell, **attrs: cell, attrs={"cell": None}, cell="cell",
        home=make,
    )  # fmt: skip


# ---------------------------------------------------------------------- iterators
def _iterator(name, attrs):
    return ops.IteratorCell(name, attrs["output_types"], attrs["output_shapes"])


class MultiDeviceCell(ops.IteratorCell):
    """An iterator whose elements several devices take in turns.

    Args:
        count: how many devices.
    """

    __slots__ = ("count",)

    def __init__(self, name, types=(), shapes=(), count=1):
        super().__init__(name, types, shapes)
        self.count = count

    def fresh(self):
        """A cell of the same name that is not initialised."""
        return MultiDeviceCell(self.name, self.types, self.shapes, self.count)


def _multi_device(name, attrs):
    types, shapes = attrs["output_types"], attrs["output_shapes"]
    return MultiDeviceCell(name, types, shapes, len(attrs["devices"]))


Iterator = _handle("Iterator", _iterator)
AnonymousIterator = _handle("AnonymousIterator", _iterator)
MultiDeviceIterator = _handle("MultiDeviceIterator", _multi_device)
IteratorGetNextSync = _define(
    "IteratorGetNextSync", _as_told, lambda iterator, **attrs: iterator.take()
)
MultiDeviceIteratorGetNextFromShard = _define(
    "MultiDeviceIteratorGetNextFromShard",
    _as_told,
    lambda iterator, shard, incarnation, **attrs: iterator.take_share(
        int(shard), iterator.count
    ),
)
MultiDeviceIteratorToStringHandle = _define(
    "MultiDeviceIteratorToStringHandle", _scalar, ops.token_of
)
for _kind in ("IteratorFromStringHandle", "MultiDeviceIteratorFromStringHandle"):
    _define(_kind, _scalar, ops.of_token)
ExperimentalIteratorGetDevice = _define(
    "ExperimentalIteratorGetDevice",
    _scalar,
    lambda iterator: np.array(b"/job:localhost/replica:0/task:0/device:CPU:0", object),
)

MultiDeviceIteratorInit = define(
    "MultiDeviceIteratorInit", infer=_scalar, host=True, stateful=True
)


def _init_step(asm, node, program):
    dataset, iterator, _ = (asm.slot(t, program) for t in node.inputs)
    (out,) = (asm.slot(t, program) for t in node.outputs)

    def run(v):
        cell = v[iterator]
        source = dataset_of(v[dataset], form_of(cell.types, cell.shapes))._finished()
        cell.begin(source, Env({}, asm.cell_of))
        v[out] = np.int64(0)

    return run


special_steps["MultiDeviceIteratorInit"] = _init_step


# ---------------------------------------------------------------------- functions
class BufferCell(Cell):
    """What a function gives, one call after another.

    Args:
        function: the LibraryFunction. text: its argument.
    """

    __slots__ = ("plan", "text")

    def __init__(self, name, function, text):
        super().__init__(name, dtypes.resource, ())
        graph = graph_of(function)
        program = program_of(graph, graph.outputs)
        self.plan = Plan(program, lambda cell: cell, INTERPRET)
        self.text = text

    @property
    def initialized(self):
        """It always is."""
        return True


def _buffer(text, device, shared_name, f, **attrs):
    return BufferCell(shared_name or f.name, f, text)


ExperimentalFunctionBufferingResource = _define(
    "ExperimentalFunctionBufferingResource", _scalar, _buffer
)
ExperimentalFunctionBufferingResourceGetNext = _define(
    "ExperimentalFunctionBufferingResourceGetNext",
    _as_told,
    lambda buffer, **attrs: buffer.plan.run([buffer.text]),
)
ExperimentalFunctionBufferingResourceReset = _define(
    "ExperimentalFunctionBufferingResourceReset", nothing, lambda buffer: ()
)


# ---------------------------------------------------------------------- by index
class IndexedCell(Cell):
    """The home of a dataset whose elements are numbered.

    Attributes:
        size: how many there are; None as long as none are there.
    """

    __slots__ = ("size",)

    def __init__(self, name):
        super().__init__(name, dtypes.resource, ())
        self.size = None

    def fresh(self):
        """A cell of the same name without elements."""
        return IndexedCell(self.name)

    @property
    def initialized(self):
        """Whether there are elements."""
        return self.size is not None

    def element(self, index):
        """The components of an element.

        Raises:
            InvalidArgumentError: there is none of this number.
        """
        if self.size is None or not 0 <= index < self.size:
            raise invalid(
                f"Index out of range: {index} where there are {self.size or 0} elements"
            )
        return [np.uint64(index)]


def _materialize(dataset, cell):
    cell.size = unboxed(dataset)
    return ()


ExperimentalIdentityIndexedDataset = _define(
    "ExperimentalIdentityIndexedDataset", _scalar, lambda size: boxed(int(size))
)
ExperimentalMaterializedIndexDatasetHandle = _handle(
    "ExperimentalMaterializedIndexDatasetHandle", lambda name, attrs: IndexedCell(name)
)
ExperimentalIndexedDatasetMaterialize = _define(
    "ExperimentalIndexedDatasetMaterialize", nothing, _materialize
)
ExperimentalIndexedDatasetGet = _define(
    "ExperimentalIndexedDatasetGet",
    _as_told,
    lambda cell, index, **attrs: cell.element(int(index)),
)


# ---------------------------------------------------------------------- threads
class ThreadsCell(Cell):
    """How many threads a pool has."""

    __slots__ = ("count",)

    def __init__(self, name, count):
        super().__init__(name, dtypes.resource, ())
        self.count = count

    def fresh(self):
        """The same: it holds no state."""
        return self

    @property
    def initialized(self):
        """It always is."""
        return True


ExperimentalThreadPoolHandle = _handle(
    "ExperimentalThreadPoolHandle",
    lambda name, attrs: ThreadsCell(name, attrs["num_threads"]),
)
