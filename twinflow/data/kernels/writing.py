"""Datasets as the nodes that TensorFlow has for them, for GraphDefs.

A dataset that was made of tensors, numbers and traced functions is written node by
node; one that needs this process (a generator of Python, a share of files) is not.
"""

import itertools

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.op import define
from twinflow.base.versions import GRAPH_DEF_VERSION
from twinflow.data.composite_leaves import DatasetLeaf
from twinflow.data.iterators.ops import WRITERS
from twinflow.data.kernels.values import Imported, form_of
from twinflow.data.pipeline.windows import unboxed
from twinflow.formats import protos
from twinflow.graph.graph_def import library
from twinflow.graph.graph_def.export import node_defs
from twinflow.graph.graph_def.parts import Parts
from twinflow.graph.node import GraphTensor
from twinflow.ops.random.philox_words import seeds_or_entropy

_SAME = ("_OptionsDataset", "ModelDataset", "OptimizeDataset")
_numbers = itertools.count(1)


class Unwritable(Exception):
    """A dataset that is no node of TensorFlow's."""


class DatasetWriter:
    """Adds the NodeDefs of datasets to the parts of one node.

    Args:
        parts: the Parts. ref: from a graph tensor to how NodeDefs call it.
    Attributes:
        library: the FunctionDefLibrary that they need.
    """

    def __init__(self, parts, ref):
        self.parts, self.ref = parts, ref
        self.library = protos.FunctionDefLibrary()
        self.names = set()

    def add(self, kind, *inputs, **attrs):
        """One more NodeDef below the name of the node; its name."""
        tries = itertools.chain([kind], (f"{kind}_{i}" for i in itertools.count(1)))
        name = next(n for n in tries if n not in self.names)
        self.names.add(name)
        return self.parts.add(name, kind, *inputs, **attrs)

    # ------------------------------------------------------------------ values
    def tensor(self, value, dtype):
        """How NodeDefs call a tensor of a dtype, or a constant of a value."""
        if isinstance(value, GraphTensor):
            text = self.ref(value)
            if value.dtype.base_dtype is dtype:
                return text
            return self.add("Cast", text, SrcT=value.dtype.base_dtype, DstT=dtype)
        array = getattr(value, "_a", value)
        if dtype is dtypes.string and not isinstance(array, np.ndarray):
            array = np.array(array, object)
        array = array if dtype.np.kind == "O" else np.asarray(array, dtype.np)
        return self.add("Const", value=array, dtype=dtype)

    def numbers(self, *values):
        """Scalars as int64, seeds above it by their bits."""
        signed = [v - 2**64 if type(v) is int and v >= 2**63 else v for v in values]
        return [self.tensor(v, dtypes.int64) for v in signed]

    def several(self, values, types):
        """Tensors of these dtypes."""
        return [self.tensor(v, t) for v, t in zip(values, types, strict=True)]

    def function(self, function):
        """(attributes, inputs) of a function: its name, and what it captures."""
        captured = function.captured
        if isinstance(function, Imported):
            self.library.MergeFrom(function.function.needed())
            return self._called(function.function.name, captured)
        graph, name = function.graph, _name_of(function)
        self._define(name, graph, graph.outputs)
        return self._called(name, captured)

    def datasets(self, function):
        """(attributes, inputs) of a function whose result is a dataset."""
        graph, name, result = function.graph, _name_of(function), function.result
        self._define(
            name, graph, [], lambda ref, parts: self._inner(result, ref, parts)
        )
        return self._called(name, function.captured)

    def _called(self, name, captured):
        types = tuple(t.dtype.base_dtype for t in captured)
        return {"f": name, "Targuments": types}, self.several(captured, types)

    def _inner(self, dataset, ref, parts):
        inner = DatasetWriter(parts, ref)
        text = inner.dataset(dataset)
        self.library.MergeFrom(inner.library)
        return text

    def _define(self, name, graph, outputs, more=None):
        found = library.function_def(name, graph, outputs, node_defs, more)
        self.library.function.append(found)
        library.fill(self.library, graph.nodes, node_defs)

    # ------------------------------------------------------------------ datasets
    def dataset(self, dataset):
        """How NodeDefs call the value of a dataset.

        Raises:
            Unwritable: there are no nodes for it.
        """
        kind = dataset._kind
        if kind in _SAME or _only_ends(dataset):
            return self.dataset(dataset._before[0])
        if kind == "ImportedDataset":  # its nodes are in the graph
            return self.ref(dataset._given[0])
        if kind not in TABLE:
            raise Unwritable(kind)
        before, form = [self.dataset(d) for d in dataset._before], _form(dataset)
        op, inputs, attrs = TABLE[kind](self, dataset)
        attrs.setdefault("output_types", form.types)
        attrs.setdefault("output_shapes", form.shapes)
        attrs.setdefault("Toutput_types", form.types)
        return self.add(op, *before, *inputs, **attrs)


def _form(dataset):
    """The Structure of the elements, or of those of the windows that are elements."""
    leaves = [leaf for leaf, _ in dataset.structure.leaves]
    if not any(leaves):
        return dataset.structure
    if not all(isinstance(leaf, DatasetLeaf) for leaf in leaves):
        raise Unwritable(dataset._kind)
    parts = [leaf.structure for leaf in leaves]
    return form_of(
        [t for p in parts for t in p.types], [s for p in parts for s in p.shapes]
    )


def _only_ends(dataset):
    """Whether it is the part of map_and_batch that TensorFlow has no node for."""
    link = dataset._link
    return dataset._kind == "MapDataset" and link is not None and not link.facts


def _name_of(function):
    """What libraries call a traced function."""
    state = function.graph.state
    if "dataset function" not in state:
        state["dataset function"] = f"Dataset_{function.graph.name}_{next(_numbers)}"
    return state["dataset function"]


# ---------------------------------------------------------------------- the table
def _facts(dataset):
    """(inputs, facts) of the transform that made a dataset."""
    link = dataset._link
    if link is None:
        raise Unwritable(dataset._kind)
    return link.inputs, link.facts


def _rows(kind):
    def write(writer, dataset):
        given = dataset._given
        types = [_dtype(v) for v in given]
        attrs = {"Toutput_types": types, "output_shapes": dataset.structure.shapes}
        return kind, writer.several(given, types), attrs

    return write


def _dtype(value):
    """The dtype of a component: an array's or a tensor's."""
    found = getattr(value, "dtype", None)
    if isinstance(found, dtypes.DType):
        return found.base_dtype
    return dtypes.from_numpy(np.asarray(value).dtype)


def _counted(op, *more):
    """A transform whose inputs are numbers."""

    def write(writer, dataset):
        inputs, _ = _facts(dataset)
        return op, [*writer.numbers(*inputs), *more], {}

    return write


def _batched(writer, dataset):
    (size, drop), _ = _facts(dataset)
    inputs = [*writer.numbers(size), writer.tensor(drop, dtypes.bool)]
    return "BatchDatasetV2", inputs, {}


def _padded(writer, dataset):
    (size, drop, *rest), _ = _facts(dataset)
    types = dataset.structure.types
    shapes, fills = rest[: len(types)], rest[len(types) :]
    shapes = [
        [-1 if n is None else n for n in s] if type(s) is tuple else s for s in shapes
    ]
    inputs = [
        *writer.numbers(size, *shapes), *writer.several(fills, types),
        writer.tensor(drop, dtypes.bool),
    ]  # fmt: skip
    return "PaddedBatchDatasetV2", inputs, {"N": len(types)}


def _shuffled(writer, dataset):
    (size,), facts = _facts(dataset)
    seed, seed2 = facts["seeds"]
    seeds = seeds_or_entropy(0, 0) if seed is None else (seed, seed2)
    attrs = {"reshuffle_each_iteration": facts["reshuffle"]}
    return "ShuffleDataset", writer.numbers(size, *seeds), attrs


def _shuffled_epochs(writer, dataset):
    (size, count), facts = _facts(dataset)
    seed, seed2 = facts["seeds"]
    seeds = seeds_or_entropy(0, 0) if seed is None else (seed, seed2)
    return "ShuffleAndRepeatDataset", writer.numbers(size, *seeds, count), {}


def _side_by_side(writer, dataset):
    inputs, facts = _facts(dataset)
    attrs, captured = writer.datasets(facts["each"])
    cycle, block, sloppy, size, ahead = inputs[-5:]
    size = 2 * block if size is None else size
    ahead = 2 * cycle if ahead is None else ahead
    numbers = [*writer.numbers(cycle, block), writer.tensor(sloppy, dtypes.bool),
               *writer.numbers(size, ahead)]  # fmt: skip
    return "ParallelInterleaveDataset", [*captured, *numbers], attrs


def _cached(writer, dataset):
    (path,), _ = _facts(dataset)
    return "CacheDataset", [writer.tensor(path, dtypes.string)], {}


def _mapped(writer, dataset):
    inputs, facts = _facts(dataset)
    attrs, captured = writer.function(facts["function"])
    if inputs[-1] is None:
        return "MapDataset", captured, attrs
    calls = writer.tensor(inputs[-1], dtypes.int32)
    return "ParallelMapDataset", [*captured, calls], attrs


def _filtered(writer, dataset):
    attrs, captured = writer.function(_facts(dataset)[1]["function"])
    attrs["predicate"] = attrs.pop("f")
    return "FilterDataset", captured, attrs


def _scanned(writer, dataset):
    _, facts = _facts(dataset)
    attrs, captured = writer.function(facts["each"])
    types = [_dtype(s) for s in facts["first"]]
    state = writer.several(facts["first"], types)
    return "ScanDataset", [*state, *captured], {**attrs, "Tstate": types}


def _flattened(op, count):
    """A transform whose function gives datasets, and whose last inputs are numbers."""

    def write(writer, dataset):
        inputs, facts = _facts(dataset)
        attrs, captured = writer.datasets(facts["each"])
        numbers = writer.numbers(*inputs[len(inputs) - count :])
        return op, [*captured, *numbers], attrs

    return write


def _read(op, *sizes):
    """A source of files; `sizes` are the places of numbers among what it was given."""

    def write(writer, dataset):
        paths, *rest = dataset._given
        if dataset._before or dataset._made_by[3] != 1:
            raise Unwritable(op)
        texts = [writer.tensor(t, dtypes.string) for t in [paths, *rest[:1]]]
        return op, [*texts, *writer.numbers(0)], {}

    return write


def _pieces(writer, dataset):
    paths, size, header, footer = dataset._given
    inputs = [writer.tensor(paths, dtypes.string)]
    inputs += writer.numbers(header, size, footer, 0)
    return "FixedLengthRecordDataset", inputs, {}


def _windowed(writer, dataset):
    if dataset._link is None:  # a window itself
        return _imported(writer, dataset)
    (*sizes, drop), _ = _facts(dataset)
    inputs = [*writer.numbers(*sizes), writer.tensor(drop, dtypes.bool)]
    return "WindowDataset", inputs, {}


def _imported(writer, dataset):
    (tensor,) = dataset._given
    return "Identity", [writer.ref(tensor)], {"T": dtypes.variant}


TABLE = {
    "RangeDataset": lambda w, d: ("RangeDataset", w.numbers(*d._given), {}),
    "TensorDataset": _rows("TensorDataset"),
    "TensorSliceDataset": _rows("TensorSliceDataset"),
    "TextLineDataset": _read("TextLineDataset"),
    "TFRecordDataset": _read("TFRecordDataset"),
    "FixedLengthRecordDataset": _pieces,
    "ZipDataset": lambda w, d: ("ZipDataset", [], {"N": len(d._before)}),
    "ConcatenateDataset": lambda w, d: ("ConcatenateDataset", [], {}),
    "RepeatDataset": _counted("RepeatDataset"),
    "TakeDataset": _counted("TakeDataset"),
    "SkipDataset": _counted("SkipDataset"),
    "PrefetchDataset": _counted("PrefetchDataset"),
    "BatchDataset": _batched,
    "PaddedBatchDataset": _padded,
    "WindowDataset": _windowed,
    "ShuffleDataset": _shuffled,
    "ShuffleAndRepeatDataset": _shuffled_epochs,
    "ParallelInterleaveDataset": _side_by_side,
    "CacheDataset": _cached,
    "MapDataset": _mapped,
    "ParallelMapDataset": _mapped,
    "FilterDataset": _filtered,
    "ScanDataset": _scanned,
    "FlatMapDataset": _flattened("FlatMapDataset", 0),
    "InterleaveDataset": _flattened("InterleaveDataset", 2),
    "UnbatchDataset": _counted("UnbatchDataset"),
}


# ---------------------------------------------------------------------- nodes
def _factory(name, dataset, graph):
    """A FunctionDefLibrary whose first function makes a dataset, without arguments.

    Raises:
        Unwritable: there are no nodes for it.
    """
    found = protos.FunctionDefLibrary()

    def more(ref, parts):
        writer = DatasetWriter(parts, ref)
        text = writer.dataset(dataset)
        found.MergeFrom(writer.library)
        return text

    nodes = library.needed(dataset.inputs)
    first = library.function_def(name, graph, [], node_defs, more, nodes)
    found.function.insert(0, first)
    return found


def _known(parts, dataset, inputs):
    """A writer for a dataset, and how it calls that; None if there are no nodes.

    Args:
        inputs: the graph tensors that are the last inputs of the node.
    """
    made = list(parts.made)
    texts = parts.inputs[len(parts.inputs) - len(inputs) :]
    writer = DatasetWriter(parts, dict(zip(inputs, texts, strict=True)).__getitem__)
    try:
        text = writer.dataset(dataset)
    except Unwritable:
        parts.made[:] = made
        return None
    dataset._library = writer.library
    return writer, text


def _maker(parts):
    dataset = parts.node.attrs["dataset"]
    known = _known(parts, dataset, dataset.inputs)
    if known is not None:
        parts.add("", "MakeIterator", known[1], parts.inputs[0])
    return known is not None


def _one_shot(parts):
    node, dataset = parts.node, parts.node.attrs["dataset"]
    try:
        if dataset._factory is None:
            found = _factory(f"Dataset_{node.name}", dataset, node.graph)
        else:
            found = dataset._factory.needed()
    except Unwritable:
        return False
    dataset._library, form = found, dataset.structure
    parts.add(
        "", "OneShotIterator", dataset_factory=found.function[0].signature.name,
        output_types=form.types, output_shapes=form.shapes,
    )  # fmt: skip
    return True


def _reduced(parts):
    node = parts.node
    function, inputs = node.attrs["f"]
    known = _known(parts, node.attrs["dataset"], inputs)
    if known is None:
        return False
    writer, text = known
    attrs, captured = writer.function(function)
    state = parts.inputs[: len(parts.inputs) - len(inputs)]
    types = tuple(t.dtype for t in node.outputs)
    parts.add(
        "", "ReduceDataset", text, *state, *captured, Tstate=types, output_types=types,
        output_shapes=[t._shape for t in node.outputs], **attrs,
    )  # fmt: skip
    return True


def _single(parts):
    dataset = parts.node.attrs["dataset"]
    known = _known(parts, dataset, dataset.inputs)
    if known is not None:
        form = dataset.structure
        attrs = {"output_types": form.types, "output_shapes": form.shapes}
        parts.add("", "DatasetToSingleElement", known[1], **attrs)
    return known is not None


def _file(parts):
    dataset, (writer, inputs) = (parts.node.attrs[k] for k in ("dataset", "writer"))
    known = _known(parts, dataset, inputs)
    if known is not None:
        texts = [known[0].tensor(t, dtypes.string) for t in writer.texts]
        parts.add("", "DatasetToTFRecord", known[1], *texts)
    return known is not None


def _table(parts):
    dataset, (writer, inputs) = (parts.node.attrs[k] for k in ("dataset", "writer"))
    known = _known(parts, dataset, inputs)
    if known is not None:
        table, *texts = writer.tensors
        texts = [known[0].tensor(t, t.dtype) for t in texts]
        table = known[0].tensor(table, dtypes.resource)
        parts.add("", "DatasetToBigtable", table, known[1], *texts)
    return known is not None


# ---------------------------------------------------------------------- values
def _graph(dataset):
    """The GraphDef of the dataset that an array holds, of which it is the last node."""
    found = unboxed(dataset)
    parts = Parts(protos.NodeDef(name="dataset"))
    try:
        writer = DatasetWriter(parts, {}.__getitem__)
        writer.dataset(found)
    except Unwritable as error:
        raise errors.UnimplementedError(
            None, None, f"There are no nodes for a dataset of kind {error}."
        ) from None
    graph = protos.GraphDef(node=parts.made, library=writer.library)
    graph.versions.producer = GRAPH_DEF_VERSION
    return np.array(graph.SerializeToString(), object)


DatasetToGraph = define("DatasetToGraph", infer=lambda dataset: (), host=_graph)

WRITERS.update(
    MakeIterator=_maker, OneShotIterator=_one_shot, ReduceDataset=_reduced,
    DatasetToSingleElement=_single, DatasetToTFRecord=_file,
    DatasetToBigtable=_table,
)  # fmt: skip
