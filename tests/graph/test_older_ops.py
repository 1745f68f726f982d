"""GraphDefs with ops that TensorFlow 1.12 replaced, and with calls of functions."""

import numpy as np
import pytest

import twinflow as tf
from twinflow.compat.door import generated
from twinflow.compat.door.defined import Defun
from twinflow.formats import protos


def _graph_def(producer, *nodes):
    """A GraphDef of (name, op, inputs, attributes), and of constants (name, array)."""
    found = protos.GraphDef()
    found.versions.producer = producer
    for name, op, *rest in nodes:
        node = found.node.add(name=name, op=op if isinstance(op, str) else "Const")
        inputs, attrs = rest or ((), {})
        if node.op == "Const":
            array = np.asarray(op)
            dtype = tf.as_dtype(array.dtype)
            attrs = {"dtype": dtype, "value": tf.contrib.util.make_tensor_proto(array)}
        node.input.extend(inputs)
        for key, value in attrs.items():
            _set(node.attr[key], value)
    return found


def _set(attr, value):
    if isinstance(value, tf.DType):
        attr.type = value.as_datatype_enum
    elif isinstance(value, bool):
        attr.b = value
    elif isinstance(value, int):
        attr.i = value
    elif isinstance(value, float):
        attr.f = value
    elif isinstance(value, str):
        attr.s = value.encode()
    elif isinstance(value, list):
        attr.list.type.extend(t.as_datatype_enum for t in value)
    else:
        attr.tensor.CopyFrom(value)


def _run(graph_def, fetches, feeds=None):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph_def, name="")
        return session.run(fetches, feeds)


F, X = {"dtype": tf.float32}, np.arange(6, dtype=np.float32).reshape(3, 2)
KEPT = {**F, "clear_after_read": False}


@pytest.mark.parametrize("version, producer", [("", 15), ("V2", 25)])
def test_tensor_arrays_without_flows(version, producer):
    """The contents are those of the handle: the flows are any numbers."""
    put = ("u", "TensorArrayUnpack", ["ta", "x", "f"], {"T": tf.float32})
    pack = ("p", "TensorArrayPack", ["ta", "u"], F)
    if version:
        put = ("u", "TensorArrayScatterV2", ["ta", "i", "x", "f"], {"T": tf.float32})
        pack = ("p", "TensorArrayGatherV2", ["ta", "i", "u"], F)
    nodes = _graph_def(
        producer, ("n", np.int32(3)), ("z", np.int32(1)), ("f", np.float32(0)),
        ("i", np.arange(3, dtype=np.int32)), ("x", X),
        ("l", np.array([1, 2], np.int64)), ("two", np.int32(2)),
        ("ta", f"TensorArray{version}", ["n"], KEPT), put, pack,
        ("s", f"TensorArraySize{version}", ["ta", "u"], {}),
        ("r", f"TensorArrayRead{version}", ["ta", "z", "u"], F),
        ("c", f"TensorArrayConcat{version}", ["ta", "u"], F),
        ("w", f"TensorArray{version}", ["two"], KEPT),
        ("w0", f"TensorArrayWrite{version}", ["w", "z", "r", "f"], {"T": tf.float32}),
        ("r2", f"TensorArrayRead{version}", ["w", "z", "w0"], F),
        ("g", f"TensorArrayGrad{version}", ["w", "w0"], {"source": "a"}),
        ("g1", f"TensorArrayWrite{version}", ["g", "z", "r2", "f"], {"T": tf.float32}),
        ("g2", f"TensorArrayWrite{version}", ["g", "z", "r2", "g1"],
         {"T": tf.float32}),
        ("gr", f"TensorArrayRead{version}", ["g", "z", "g2"], F),
        ("v", f"TensorArray{version}", ["two"], KEPT),
        ("vs", f"TensorArraySplit{version}", ["v", "x", "l", "f"], {"T": tf.float32}),
        ("vr", f"TensorArrayRead{version}", ["v", "z", "vs"], F),
        ("end", f"TensorArrayClose{version}", ["v"], {}),
    )  # fmt: skip
    fetches = ["s:0", "r:0", "p:0", "c:0", "c:1", "r2:0", "gr:0", "vr:0"]
    size, row, whole, joined, lengths, again, slope, part = _run(nodes, fetches)
    assert size == 3 and row.tolist() == again.tolist() == [2, 3]
    assert whole.tolist() == X.tolist() and joined.tolist() == X.ravel().tolist()
    assert lengths.tolist() == [2, 2, 2] and slope.tolist() == [4, 6]
    assert part.tolist() == X[1:].tolist()
    nodes.versions.producer = 27
    with pytest.raises(tf.errors.UnimplementedError, match="has been removed in vers"):
        _run(nodes, fetches)


def test_slopes_with_more_axes():
    nodes = _graph_def(
        27, ("n", np.int32(1)), ("z", np.int32(0)), ("more", np.array([2], np.int32)),
        ("x", X[0]), ("wide", X[:2]), ("ta", "TensorArrayV3", ["n"], KEPT),
        ("w", "TensorArrayWriteV3", ["ta", "z", "x", "ta:1"], {"T": tf.float32}),
        ("g", "TensorArrayGradWithShape", ["ta", "w", "more"], {"source": "a"}),
        ("g1", "TensorArrayWriteV3", ["g", "z", "wide", "g:1"], {"T": tf.float32}),
        ("r", "TensorArrayReadV3", ["g", "z", "g1"], F),
    )  # fmt: skip
    assert _run(nodes, "r:0").tolist() == X[:2].tolist()


def test_placeholders_and_norms_of_2015():
    channel = {k: np.float32([1, 2]) for k in ("m", "v", "beta", "gamma")}
    nodes = _graph_def(
        8, *channel.items(),
        ("x", "PlaceholderV2", [], F),
        ("y", "BatchNormWithGlobalNormalization", ["x", *channel],
         {"T": tf.float32, "variance_epsilon": 0.0,
          "scale_after_normalization": True}),
    )  # fmt: skip
    image = np.full((1, 1, 1, 2), 3, np.float32)
    found = _run(nodes, "y:0", {"x:0": image})
    np.testing.assert_allclose(found.ravel(), [3, 2 + np.sqrt(2)], rtol=1e-6)
    function = generated.function("python.ops.gen_array_ops", "placeholder_v2")
    with tf.Graph().as_default(), tf.Session() as session:
        y = function(tf.float32, [2]) + 1.0
        assert session.run(y, {y.op.inputs[0]: [1, 2]}).tolist() == [2, 3]


# ---------------------------------------------------------------------- functions
def _library():
    """A GraphDef with functions: times two and a number, and plus one."""
    with tf.Graph().as_default() as graph:

        @Defun(tf.int32, tf.float32, func_name="body")
        def body(i, x):
            return 2.0 * x + tf.to_float(i)

        @Defun(tf.float32, func_name="one")
        def one(x):
            return x + 1.0

        body.add_to_graph(graph)
        one.add_to_graph(graph)
        return graph.as_graph_def()


def _with_functions(*nodes, **functions):
    found = _graph_def(27, *nodes)
    found.library.CopyFrom(_library().library)
    for place, name in functions.items():
        node, _, attr = place.partition("__")
        next(n for n in found.node if n.name == node).attr[attr].func.name = name
    return found


def test_loops_over_numbers():
    """TensorFlow 1.12 gives the same."""
    kinds = {"T": [tf.float32]}
    nodes = _with_functions(
        ("x", "Placeholder", [], F), ("zero", np.int32(0)), ("one", np.int32(1)),
        ("five", np.int32(5)), ("down", np.int32(-2)),
        ("up", "For", ["zero", "five", "one", "x"], kinds),
        ("fall", "For", ["five", "zero", "down", "x"], kinds),
        up__body="body", fall__body="body",
    )  # fmt: skip
    assert _run(nodes, ["up:0", "fall:0"], {"x:0": 3.0}) == [122.0, 51.0]
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant(1.0)
        (y,) = tf.import_graph_def(nodes, {"x:0": x}, ["up:0"], name="")
        assert session.run(tf.gradients(y, x)) == [32.0]


def test_functions_on_batches():
    nodes = _with_functions(
        ("x", "Placeholder", [], F),
        ("y", "BatchFunction", ["x"],
         {"num_batch_threads": 1, "max_batch_size": 10, "batch_timeout_micros": 1,
          "Tin": [tf.float32], "Tcaptured": [], "Tout": [tf.float32]}),
        y__f="one",
    )  # fmt: skip
    assert _run(nodes, "y:0", {"x:0": [1.0, 2.0]}).tolist() == [2.0, 3.0]


def test_calls_without_effects():
    kinds = {"Tin": [tf.float32], "Tout": [tf.float32]}
    nodes = _with_functions(
        ("x", "Placeholder", [], F), ("p", "Placeholder", [], {"dtype": tf.bool}),
        ("y", "StatelessIf", ["p", "x"], {**kinds, "Tcond": tf.bool}),
        ("z", "StatefulPartitionedCall", ["x"], kinds),
        ("fake", "FakeParam", [], {"dtype": tf.float32}),
        y__then_branch="one", y__else_branch="one", z__f="one",
    )  # fmt: skip
    nodes.node[-1].attr["shape"].shape.dim.add(size=2)
    found = _run(nodes, ["y:0", "z:0", "fake:0"], {"x:0": 3.0, "p:0": True})
    assert found[:2] == [4.0, 4.0] and found[2].shape == (2,)
