"""GraphDefs that mean no good: each is refused by an error that names the node."""

import pytest

import twinflow as tf
from twinflow.base import errors
from twinflow.formats import protos
from twinflow.graph.v1 import functions


def imported(graph_def):
    with tf.Graph().as_default():
        tf.import_graph_def(graph_def, name="")


def node(graph_def, op, name, *inputs, **types):
    found = graph_def.node.add(op=op, name=name, input=inputs)
    for key, value in types.items():
        found.attr[key].type = value
    return found


def const(graph_def, name="c"):
    found = node(graph_def, "Const", name, dtype=1)
    found.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(1.0))
    return found


@pytest.mark.parametrize("kind", ["Enter", "Exit", "NextIteration", "Merge", "Switch"])
@pytest.mark.parametrize("inputs", [(), ("c",), ("c", "c"), ("c:7",), ("^c",), ("x",)])
def test_bare_nodes_of_control_flow(kind, inputs):
    graph_def = tf.GraphDef()
    const(graph_def)
    node(graph_def, kind, "bare", *inputs, T=1)
    try:
        imported(graph_def)
    except (ValueError, errors.OpError) as error:
        assert "bare" in str(error) or "'c'" in str(error) or "'x'" in str(error)


def function(library, name, *calls):
    """A function of one float that calls others, one after the other."""
    made = library.function.add()
    made.signature.name = name
    made.signature.input_arg.add(name="x", type=1)
    made.signature.output_arg.add(name="y", type=1)
    last = "x"
    for i, call in enumerate(calls):
        made.node_def.add(op=call, name=f"n{i}", input=[last])
        last = f"n{i}:y:0"
    made.ret["y"] = last
    return made


@pytest.mark.parametrize("cycle", [["f"], ["f", "g"], ["f", "g", "h"]])
def test_functions_that_call_themselves(cycle):
    graph_def = tf.GraphDef()
    const(graph_def)
    for name, following in zip(cycle, [*cycle[1:], cycle[0]]):
        function(graph_def.library, name, following)
    node(graph_def, "f", "call", "c")
    chain = " -> ".join([*cycle, "f"])
    with pytest.raises(ValueError, match=f"calls itself: {chain}"):
        imported(graph_def)


def test_functions_that_call_others_twice_thirty_times_over(monkeypatch):
    monkeypatch.setattr(functions, "_MOST_NODES", 5000)  # the real limit takes 30 s
    graph_def = tf.GraphDef()
    const(graph_def)
    for i in range(30):
        function(graph_def.library, f"f{i}", f"f{i + 1}", f"f{i + 1}")
    function(graph_def.library, "f30")
    node(graph_def, "f0", "call", "c")
    with pytest.raises(ValueError, match="there are more than"):
        imported(graph_def)


@pytest.mark.parametrize("kind", ["PyFunc", "PyFuncStateless", "EagerPyFunc"])
@pytest.mark.parametrize("token", [b"pyfunc_999999", b"", b"os.system"])
def test_functions_of_another_process(kind, token):
    graph_def = tf.GraphDef()
    const(graph_def)
    made = node(graph_def, kind, "call", "c")
    made.attr["token"].s = token
    made.attr["Tin"].list.type.append(1)
    made.attr["Tout"].list.type.append(1)
    with tf.Graph().as_default() as graph, tf.Session() as session:
        refused = pytest.raises((errors.InvalidArgumentError, ValueError))
        with refused as raised:
            tf.import_graph_def(graph_def, name="")
            session.run(graph.get_tensor_by_name("call:0"))
    assert "call" in str(raised.value)
    if isinstance(raised.value, errors.InvalidArgumentError):
        assert f"callback {token.decode()} is not found" in str(raised.value)


@pytest.mark.parametrize("number", [0, 999, 2**31 - 1])
def test_dtypes_that_are_none(number):
    graph_def = tf.GraphDef()
    const(graph_def).attr["dtype"].type = 1
    node(graph_def, "Identity", "i", "c").attr["T"].type = number
    graph_def.node[0].attr["value"].tensor.dtype = number
    with pytest.raises(ValueError, match=r"'c'|'i'"):
        imported(graph_def)


def test_assets_stay_in_their_folder(tmp_path):
    """A SavedModel cannot make a graph read a file beside it."""
    with tf.Graph().as_default(), tf.Session() as session:
        (tmp_path / "words").write_text("a")
        path = tf.constant(str(tmp_path / "words"))
        tf.add_to_collection(tf.GraphKeys.ASSET_FILEPATHS, path)
        tf.add_to_collection("read", tf.read_file(path))
        builder = tf.saved_model.builder.SavedModelBuilder(str(tmp_path / "m"))
        builder.add_meta_graph_and_variables(
            session, ["t"], assets_collection=[path], main_op=tf.no_op()
        )
        builder.save()
    file = tmp_path / "m" / "saved_model.pb"
    whole = protos.SavedModel.FromString(file.read_bytes())
    packed = whole.meta_graphs[0].collection_def["saved_model_assets"].any_list.value[0]
    for name in ("../../words", "/etc/passwd", "..", ""):
        info = protos.AssetFileDef.FromString(packed.value)
        info.filename = name
        packed.value = info.SerializeToString()
        file.write_bytes(whole.SerializeToString())
        refused = pytest.raises(ValueError, match=r"(?s)asset.*saved_model\.pb")
        with tf.Graph().as_default(), tf.Session() as session, refused:
            tf.saved_model.loader.load(session, ["t"], str(tmp_path / "m"))
