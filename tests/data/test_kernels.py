"""Nodes of datasets and iterators, one by one: what TensorFlow 1.12 gives for them."""

import json
import sqlite3

import numpy as np
import pytest

import twinflow as tf
from tests.data import graph_pipelines
from tests.data.test_graph_pipelines import run_in
from twinflow.base import errors, op_defs
from twinflow.formats import protos
from twinflow.formats.attr_values import to_proto
from twinflow.formats.tf_record import framed

INT, TEXT = tf.int64, tf.string


class Ref(str):
    """The name of a node, as an input."""


NUMBERS = Ref("numbers")  # 0 to 3
ROWS = Ref("rows")  # [0, 1], [2, 3]
PAIRS = Ref("pairs")  # (5, True), (6, False)
EXAMPLES = Ref("examples")  # one vector of two serialised Examples of x


def example(x):
    value = tf.train.Feature(int64_list=tf.train.Int64List(value=[x]))
    features = tf.train.Features(feature={"x": value})
    return tf.train.Example(features=features).SerializeToString()


class Builder:
    """A GraphDef made of NodeDefs."""

    def __init__(self):
        self.made = protos.GraphDef()
        self.made.versions.producer = 27
        self.add("numbers", "RangeDataset", *map(np.int64, (0, 4, 1)))
        self.add("rows", "BatchDataset", NUMBERS, np.int64(2), output_shapes=[(2,)])
        parts = [np.array([5, 6]), np.array([True, False])]
        form = {"Toutput_types": (INT, tf.bool), "output_shapes": ((), ())}
        self.add("pairs", "TensorSliceDataset", parts, **form)
        texts = [np.array([example(7), example(8)], object)]
        form = {"Toutput_types": (TEXT,), "output_shapes": ((2,),)}
        self.add("examples", "TensorDataset", texts, **form)

    def add(self, name, op, *inputs, **attrs):
        """A node; what is no Ref becomes a constant. Lists are spread."""
        node = protos.NodeDef(name=name, op=op)
        flat = [x for v in inputs for x in (v if isinstance(v, list) else [v])]
        for i, value in enumerate(flat):
            node.input.append(
                value if isinstance(value, Ref) else self.const(name, i, value)
            )
        attrs = {"output_types": (INT,), "output_shapes": ((),), **attrs}
        for attr in op_defs.find(op).attrs.values():
            value = attrs.get(attr.name, attr.default)
            node.attr[attr.name].CopyFrom(to_proto(value, attr.type))
        self.made.node.append(node)
        return Ref(name)

    def const(self, name, i, value):
        array = np.asarray(value, object if isinstance(value, bytes) else None)
        dtype = tf.as_dtype(array.dtype) if array.dtype != object else TEXT
        self.made.node.append(protos.NodeDef(name=f"{name}_{i}", op="Const"))
        node = self.made.node[-1]
        node.attr["value"].CopyFrom(to_proto(array, "tensor"))
        node.attr["dtype"].CopyFrom(to_proto(dtype, "type"))
        return f"{name}_{i}"

    def started(self, dataset, types, kind="IteratorV2", take="IteratorGetNext"):
        """The graph whose `x` is the first component of the elements."""
        form = {"output_types": types, "output_shapes": [None] * len(types)}
        self.add("iterator", kind, shared_name="", container="", **form)
        self.add("start", "MakeIterator", dataset, Ref("iterator"))
        self.add("next", take, Ref("iterator"), **form)
        self.add("x", "Identity", Ref("next"), T=types[0])
        return self.made


def pipeline(op, inputs, types=(INT,), **attrs):
    builder = Builder()
    shapes = [None] * len(types)
    attrs = {"output_types": types, "output_shapes": shapes, **attrs}
    return builder.started(builder.add("last", op, *inputs, **attrs), types)


def n(value):
    return np.int64(value)


_SEEDS = n(3), n(5)
_FORMED = {"Toutput_types": (INT,)}
CASES = {  # op type: (inputs, attributes, elements)
    "BatchDataset": ([NUMBERS, n(3)], {}, [[0, 1, 2], [3]]),
    "BatchDatasetV2": ([NUMBERS, n(3), True], {}, [[0, 1, 2]]),
    "BytesProducedStatsDataset": ([NUMBERS, b"tag"], {}, [0, 1, 2, 3]),
    "CacheDataset": ([NUMBERS, b""], {}, [0, 1, 2, 3]),
    "ConcatenateDataset": ([NUMBERS, NUMBERS], {}, [0, 1, 2, 3] * 2),
    "ExperimentalAssertNextDataset": (
        [NUMBERS, np.array([], object)],
        {},
        [0, 1, 2, 3],
    ),
    "ExperimentalIgnoreErrorsDataset": ([NUMBERS], {}, [0, 1, 2, 3]),
    "ExperimentalUniqueDataset": ([NUMBERS], {}, [0, 1, 2, 3]),
    "FilterByLastComponentDataset": ([PAIRS], {}, [5]),
    "ParseExampleDataset": (
        [EXAMPLES, n(2), [np.array([], np.int64)]],
        {
            "sparse_keys": (b"y",),
            "dense_keys": (b"x",),
            "sparse_types": (INT,),
            "Tdense": (INT,),
            "dense_shapes": ((),),
            "types": (INT, tf.variant),
            "output_shapes": ((2,), (3,)),
        },
        [[7, 8]],
    ),
    "LatencyStatsDataset": ([NUMBERS, b"tag"], {}, [0, 1, 2, 3]),
    "ModelDataset": ([NUMBERS], {}, [0, 1, 2, 3]),
    "OptimizeDataset": ([NUMBERS, np.array([], object)], {}, [0, 1, 2, 3]),
    "PaddedBatchDataset": (
        [ROWS, n(2), [np.array([3], np.int64)], [n(9)]],
        {"N": 1, **_FORMED},
        [[[0, 1, 9], [2, 3, 9]]],
    ),
    "PaddedBatchDatasetV2": (
        [ROWS, n(2), [np.array([-1], np.int64)], [n(9)], False],
        {"N": 1, **_FORMED},
        [[[0, 1], [2, 3]]],
    ),
    "PrefetchDataset": ([NUMBERS, n(2)], {}, [0, 1, 2, 3]),
    "RandomDataset": ([*_SEEDS], {}, None),
    "RangeDataset": ([n(5), n(1), n(-2)], {}, [5, 3]),
    "RepeatDataset": ([NUMBERS, n(2)], {}, [0, 1, 2, 3] * 2),
    "ShuffleDataset": ([NUMBERS, n(3), *_SEEDS], {}, None),
    "ShuffleAndRepeatDataset": ([NUMBERS, n(3), *_SEEDS, n(2)], {}, None),
    "SkipDataset": ([NUMBERS, n(3)], {}, [3]),
    "SlideDataset": ([NUMBERS, n(2), n(1), n(2)], {}, [[0, 2], [1, 3]]),
    "SparseTensorSliceDataset": (
        [np.array([[0, 1]], np.int64), np.array([7]), np.array([1, 2], np.int64)],
        {"Tvalues": INT, "types": (INT, INT, INT)},
        [[[1]]],
    ),
    "TakeDataset": ([NUMBERS, n(2)], {}, [0, 1]),
    "TensorDataset": ([[np.array([4, 5])]], _FORMED, [[4, 5]]),
    "TensorSliceDataset": ([[np.array([4, 5])]], _FORMED, [4, 5]),
    "UnbatchDataset": ([ROWS], {}, [0, 1, 2, 3]),
    "ZipDataset": ([[NUMBERS, ROWS]], {"N": 2, "types": (INT, INT)}, [0, 1]),
}


def made(name):
    inputs, attrs, _ = CASES[name]
    return pipeline(name, inputs, **attrs)


def elements(graph_def):
    return json.loads(json.dumps(graph_pipelines.elements(tf, graph_def)))


@pytest.mark.parametrize("name", CASES)
def test_a_node_gives_elements(name):
    found, wanted = elements(made(name)), CASES[name][2]
    if wanted is None:
        assert len(found) >= 4
        assert elements(made(name)) == found  # by its seeds
    else:
        assert found == wanted


@pytest.mark.interop
def test_tensorflow_gives_the_same(tf112_python, tmp_path):
    own = {}
    for name in CASES:
        (tmp_path / f"{name}.pbtxt").write_text(str(made(name)))
        own[name] = elements(made(name))
    assert run_in(tf112_python, "run", tmp_path) == own


# ---------------------------------------------------------------------- files
@pytest.fixture
def files(tmp_path):
    (tmp_path / "lines").write_text("7,a\n8,b\n")
    (tmp_path / "records").write_bytes(framed(b"one") + framed(b"two"))
    with sqlite3.connect(tmp_path / "base") as base:
        base.execute("CREATE TABLE t (n INTEGER)")
        base.executemany("INSERT INTO t VALUES (?)", [(3,), (4,)])
    base.close()
    return lambda name: str(tmp_path / name).encode()


def file_cases(path):
    names = lambda name: np.array([path(name)], object)
    text = {"types": (TEXT,)}
    csv = [
        names("lines"), b"", n(64), False, b",", True, b"", np.array([], np.int64),
        [np.array([0]), np.array([b""], object)],
    ]  # fmt: skip
    return {
        "TextLineDataset": ([names("lines"), b"", n(0)], text, ["7,a", "8,b"]),
        "TFRecordDataset": ([names("records"), b"", n(0)], text, ["one", "two"]),
        "FixedLengthRecordDataset": (
            [names("lines"), n(1), n(2), n(1), n(0)], text, [",a", "\n8", ",b"],
        ),
        "SqlDataset": ([b"sqlite", path("base"), b"select n from t"], {}, [3, 4]),
        "ExperimentalCSVDataset": (csv, {"types": (INT, TEXT)}, [7, 8]),
    }  # fmt: skip


@pytest.mark.parametrize("name", file_cases(lambda name: b""))
def test_a_node_reads_files(name, files):
    inputs, attrs, wanted = file_cases(files)[name]
    assert elements(pipeline(name, inputs, attrs.get("types", (INT,)))) == wanted


# ---------------------------------------------------------------------- functions
def function(name, node, types, out):
    """The FunctionDef of one node, `made`, whose output is called `out`."""
    found = protos.FunctionDef(node_def=[node])
    found.signature.name = name
    for i, dtype in enumerate(types):
        found.signature.input_arg.add(name=f"a{i}", type=dtype.as_datatype_enum)
    found.signature.output_arg.add(name="r", type=types[0].as_datatype_enum)
    found.ret["r"] = f"made:{out}:0"
    return found


def doubled(name="double"):
    node = protos.NodeDef(name="made", op="Add", input=["a0", "a0"])
    node.attr["T"].type = INT.as_datatype_enum
    return function(name, node, [INT], "z")


def named(name):
    return protos.NameAttrList(name=name)


def mapped(rows):
    """What MapDefun gives for rows, and the shape that is known before."""
    builder = Builder()
    builder.made.library.function.append(doubled())
    types = {"Targuments": (INT,), "output_types": (INT,), "output_shapes": ((2,),)}
    builder.add("x", "MapDefun", [rows], f=named("double"), **types)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(builder.made, name="")
        x = graph.get_tensor_by_name("x:0")
        return session.run(x), x.shape.as_list()


def test_map_defun_works_on_rows():
    rows = np.arange(6).reshape(3, 2)
    found, shape = mapped(rows)
    np.testing.assert_array_equal(found, rows * 2)
    assert shape == [3, 2]
    assert mapped(rows[:0])[0].shape == (0, 2)
    with pytest.raises(errors.InvalidArgumentError, match="rank at least 1"):
        mapped(n(3))


def test_functions_in_batches_and_in_turns():
    builder = Builder()
    node = protos.NodeDef(name="made", op="TensorSliceDataset", input=["a0"])
    node.attr["Toutput_types"].list.type.append(INT.as_datatype_enum)
    node.attr["output_shapes"].list.shape.add()
    cut = function("cut", node, [INT], "handle")
    cut.signature.output_arg[0].type = tf.variant.as_datatype_enum
    builder.made.library.function.extend([doubled(), cut])
    attrs = {"Targuments": (), "output_shapes": (None,)}
    rows = builder.add("last", "MapAndBatchDataset", NUMBERS, [], n(2), n(1), False,
                       f=named("double"), **attrs)  # fmt: skip
    flat = builder.add("flat", "ParallelInterleaveDatasetV2", rows, [], n(2), n(1),
                       n(2), f=named("cut"), **attrs)  # fmt: skip
    sink = builder.add("sink", "SinkDataset", flat)
    assert elements(builder.started(sink, (INT,))) == [0, 4, 2, 6]


def test_a_remote_call_runs_here():
    builder = Builder()
    builder.made.library.function.append(doubled())
    builder.add("x", "RemoteCall", b"/cpu:0", [n(4)], Tin=(INT,), Tout=(INT,),
                f=named("double"))  # fmt: skip
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(builder.made, name="")
        assert session.run("x:0") == 8


def test_a_generator_of_nodes():
    """init_func gives a state, next_func elements of it; here it never ends."""
    builder = Builder()
    builder.made.library.function.extend([doubled(), doubled("last")])
    first = protos.NodeDef(name="made", op="Const")
    first.attr["dtype"].type = INT.as_datatype_enum
    first.attr["value"].CopyFrom(to_proto(n(3), "tensor"))
    start = function("first", first, [INT], "output")
    del start.signature.input_arg[:]
    builder.made.library.function.append(start)
    functions = {"init_func": "first", "next_func": "double", "finalize_func": "last"}
    empty = {f"T{k}_args": () for k in functions}
    last = builder.add("last", "GeneratorDataset", [], [], [], **empty,
                       **{k: named(v) for k, v in functions.items()})  # fmt: skip
    taken = builder.add("taken", "TakeDataset", last, n(2))
    assert elements(builder.started(taken, (INT,))) == [6, 6]


def test_a_buffer_of_a_function():
    builder = Builder()
    node = protos.NodeDef(name="made", op="Identity", input=["a0"])
    node.attr["T"].type = TEXT.as_datatype_enum
    builder.made.library.function.append(function("same", node, [TEXT], "output"))
    builder.add(
        "buffer", "ExperimentalFunctionBufferingResource", b"text", b"/cpu:0",
        f=named("same"), buffer_size=1, output_types=(TEXT,), shared_name="",
        container="",
    )  # fmt: skip
    builder.add("x", "ExperimentalFunctionBufferingResourceGetNext", Ref("buffer"),
                output_types=(TEXT,))  # fmt: skip
    builder.add("r", "ExperimentalFunctionBufferingResourceReset", Ref("buffer"))
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(builder.made, name="")
        session.run(graph.get_operation_by_name("r"))
        assert [session.run("x:0") for _ in range(2)] == [b"text"] * 2


# ---------------------------------------------------------------------- iterators
@pytest.mark.parametrize("kind", ["Iterator", "AnonymousIterator", "IteratorV2"])
@pytest.mark.parametrize("take", ["IteratorGetNext", "IteratorGetNextSync"])
def test_kinds_of_iterators(kind, take):
    assert elements(Builder().started(NUMBERS, (INT,), kind, take)) == [0, 1, 2, 3]


def test_an_iterator_by_its_first_string_handle():
    builder = Builder()
    graph_def = builder.started(NUMBERS, (INT,))
    builder.add("handle", "IteratorToStringHandle", Ref("iterator"))
    builder.add("found", "IteratorFromStringHandle", Ref("handle"))
    builder.add("y", "IteratorGetNext", Ref("found"))
    builder.add("place", "ExperimentalIteratorGetDevice", Ref("iterator"))
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(graph_def, name="")
        session.run(graph.get_operation_by_name("start"))
        assert [session.run("x:0"), session.run("y:0")] == [0, 1]
        assert b"CPU:0" in session.run("place:0")


def test_devices_take_turns():
    builder = Builder()
    kind = "MultiDeviceIterator"
    builder.add(
        "it", kind, devices=(b"/cpu:0", b"/cpu:1"), shared_name="", container=""
    )
    builder.add("start", f"{kind}Init", NUMBERS, Ref("it"), n(1))
    builder.add("handle", f"{kind}ToStringHandle", Ref("it"))
    builder.add("again", f"{kind}FromStringHandle", Ref("handle"))
    for i in range(2):
        builder.add(f"x{i}", f"{kind}GetNextFromShard", Ref("again"), np.int32(i), n(0))
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(builder.made, name="")
        session.run("start:0")
        assert [session.run(["x1:0", "x0:0"]) for _ in range(2)] == [[1, 0], [3, 2]]
        with pytest.raises(errors.OutOfRangeError):
            session.run("x0:0")


def test_elements_by_number():
    builder, kind = Builder(), "ExperimentalMaterializedIndexDatasetHandle"
    form = {"output_types": (tf.uint64,), "output_shapes": ((),)}
    builder.add("set", "ExperimentalIdentityIndexedDataset", np.uint64(3))
    builder.add("home", kind, shared_name="", container="", **form)
    builder.add(
        "fill", "ExperimentalIndexedDatasetMaterialize", Ref("set"), Ref("home")
    )
    builder.add("x", "ExperimentalIndexedDatasetGet", Ref("home"), np.uint64(2), **form)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(builder.made, name="")
        with pytest.raises(errors.InvalidArgumentError, match="there are 0 elements"):
            session.run("x:0")
        session.run(graph.get_operation_by_name("fill"))
        assert session.run("x:0") == 2


def test_elements_are_put_back():
    """Batches of what EnqueueInQueueDataset put back, then of the rest."""
    kind, builder = "PrependFromQueueAndPaddedBatchDataset", Builder()
    form = {"output_types": (tf.variant, INT), "output_shapes": ((None,), (None,))}
    last = builder.add(
        "last", kind, NUMBERS, n(3), [np.array([], np.int64)], [n(0)], N=1,
        Toutput_types=(INT,), output_shapes=form["output_shapes"],
    )  # fmt: skip
    builder.add("iterator", "IteratorV2", shared_name="", container="", **form)
    builder.add("start", "MakeIterator", last, Ref("iterator"))
    builder.add("next", "IteratorGetNext", Ref("iterator"), **form)
    builder.add("more", "Add", Ref("next:1"), n(10), T=INT)
    put = "EnqueueInQueueDataset"
    builder.add("put", put, Ref("next"), [Ref("more")], Tcomponents=(INT,))
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(builder.made, name="")
        session.run(graph.get_operation_by_name("start"))
        put = graph.get_operation_by_name("put")
        assert session.run(["next:1", put])[0].tolist() == [0, 1, 2]
        assert session.run("next:1").tolist() == [10, 11, 12]
        assert session.run("next:1").tolist() == [3]


def test_a_dataset_as_a_graph():
    builder = Builder()
    mixed = builder.add("mixed", "ShuffleDataset", ROWS, n(2), *_SEEDS)
    builder.add("x", "DatasetToGraph", mixed)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(builder.made, name="")
        found = tf.GraphDef.FromString(session.run("x:0"))
    kinds = [node.op for node in found.node if node.op != "Const"]
    assert kinds == ["RangeDataset", "BatchDatasetV2", "ShuffleDataset"]


def test_a_pool_limits_threads():
    builder = Builder()
    builder.add("pool", "ExperimentalThreadPoolHandle", num_threads=1, display_name="p")
    last = builder.add("last", "ExperimentalThreadPoolDataset", NUMBERS, Ref("pool"))
    assert elements(builder.started(last, (INT,))) == [0, 1, 2, 3]


def test_numbers_of_a_dataset_go_to_its_aggregator():
    builder = Builder()
    builder.add("stats", "StatsAggregatorHandle", shared_name="", container="")
    sizes = builder.add("sizes", "BytesProducedStatsDataset", NUMBERS, b"bytes")
    last = builder.add("last", "SetStatsAggregatorDataset", sizes, Ref("stats"))
    graph_def = builder.started(last, (INT,))
    builder.add("summary", "StatsAggregatorSummary", Ref("stats"))
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.import_graph_def(graph_def, name="")
        session.run(graph.get_operation_by_name("start"))
        session.run(["x:0"])
        found = tf.Summary.FromString(session.run("summary:0"))
    assert [(v.tag, v.histo.num, v.histo.sum) for v in found.value] == [("bytes", 1, 8)]
