"""What deep modules have beside public names, used as TensorFlow's own tests do."""

import importlib
import warnings

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager  # noqa: F401 - a fixture
from tests.support import deep_modules
from twinflow.base import dispatch
from twinflow.compat.door import (
    decorators,
    deprecation,
    finder,
    framework,
    python_util,
    resolve,
    shapes,
    table,
)
from twinflow.eager.mode import MODE


@pytest.fixture
def load():
    """A function that imports a module below `tensorflow.python`."""
    finder.open_door()
    yield lambda path: importlib.import_module(f"tensorflow.python.{path}")
    finder.close_door()


def test_ops_by_their_names(load):
    execute = load("eager.execute").execute
    with dispatch.entered(MODE):
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        attrs = (
            "transpose_a",
            True,
            "transpose_b",
            False,
            "T",
            x.dtype.as_datatype_enum,
        )
        (product,) = execute(b"MatMul", 1, [x, x], attrs, None)
        np.testing.assert_array_equal(product, [[10, 14], [14, 20]])
        assert (
            len(execute("Split", 2, [tf.constant(0), x], ("num_split", 2), None)) == 2
        )
        with pytest.raises(tf.errors.NotFoundError, match="not registered 'NoSuchOp'"):
            execute("NoSuchOp", 1, [], None, None)
        with pytest.raises(tf.errors.InvalidArgumentError, match="int value for attr"):
            execute("AddN", 1, [x, x], ("N", "2"), None)
    with pytest.raises(TypeError, match="Expected int for argument 'n' not 'a'"):
        load("eager.execute").make_int("a", "n")


def test_nodes_of_ops_that_only_have_definitions(load):
    ops = load("framework.test_ops")
    apply = ops._op_def_lib.apply_op
    with tf.Graph().as_default() as graph:
        a, b = ops.two_int_outputs()
        node = ops.two_int_inputs(a, b, name="in")
        out = apply("Polymorphic", a=7, name="p")
        assert (node.type, out.op.name, out.dtype) == ("TwoIntInputs", "p", tf.int32)
        assert [t.name for t in node.inputs] == ["TwoIntOutputs:0", "TwoIntOutputs:1"]
        for text, name, inputs in [
            ("Expected int32 passed to parameter 'a' of op 'Simple', got 'x' of type "
             "'str' instead.", "Simple", {"a": "x"}),
            ("No argument for input a", "Simple", {}),
            ("apply_op\\(\\) got unexpected keyword arguments: b", "Simple",
             {"a": 1, "b": 2}),
            ("Input 'b' of 'Binary' Op has type int32 that does not match type string "
             "of argument 'a'.", "Binary", {"a": tf.constant("s"), "b": a}),
            ("has DataType int32 not in list of allowed values: string, bool",
             "Restrict", {"a": 17}),
            ("Expected int for argument 'a' not None.", "Attr", {"a": None}),
        ]:  # fmt: skip
            with pytest.raises(TypeError, match=text):
                apply(name, **inputs)
        with pytest.raises(RuntimeError, match="Unrecognized Op name NoSuchOp"):
            apply("NoSuchOp")
    graph_def = graph.as_graph_def()
    with tf.Graph().as_default():
        (again,) = tf.import_graph_def(graph_def, return_elements=["in"], name="")
        assert again.type == "TwoIntInputs"
        with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError):
            session.run(again)


def test_eager_tensors_made_by_their_class(load):
    ops, context = load("framework.ops"), load("eager.context")
    core, wrap = (
        load("eager.core"),
        importlib.import_module("tensorflow.python.pywrap_tensorflow"),
    )
    with dispatch.entered(MODE):
        here = context.context()
        made = ops.EagerTensor([[1, 2]], here._handle, here.device_name)
        assert isinstance(made, ops.EagerTensor) and made.dtype == tf.int32
        assert wrap.TFE_Py_TensorShapeSlice([made, made], 1).numpy().tolist() == [2, 2]
        with pytest.raises(IndexError, match=r"Slice dimension .2. must be smaller"):
            wrap.TFE_Py_TensorShapeSlice([made], 2)
    with pytest.raises(TypeError, match=r"Required argument 'context' .pos 2. not"):
        ops.EagerTensor(1)
    found = core._status_to_exception(5, "gone")
    assert isinstance(found, tf.errors.NotFoundError) and found.message == "gone"


def test_generated_functions_of_resources(load):
    ops, data = load("ops.gen_resource_variable_ops"), load("ops.gen_data_flow_ops")
    with dispatch.entered(MODE):
        handle = ops.var_handle_op(tf.float32, [2], shared_name="shared")
        ops.assign_variable_op(handle, [1.0, 2.0])
        same = ops.var_handle_op(tf.float32, [2], shared_name="shared")
        assert ops.read_variable_op(same, tf.float32).numpy().tolist() == [1.0, 2.0]
    with tf.Graph().as_default(), tf.Session() as session:
        queue = data.fifo_queue_v2([tf.float32], shapes=[[]], capacity=2)
        session.run(data.queue_enqueue_v2(queue, [3.0]))
        assert session.run(data.queue_dequeue_v2(queue, [tf.float32])) == [3.0]
        drawn = load("ops.gen_random_ops").random_standard_normal([3], tf.float32, 1, 2)
        assert session.run(drawn).shape == (3,)
    with pytest.raises(TypeError, match="Expected string"), dispatch.entered(MODE):
        load("ops.gen_array_ops").check_numerics([1.0], message=3)


def test_defun_of_graphs(load):
    function = load("framework.function")

    @function.Defun(tf.float32, tf.float32)
    def slope(x, dy):
        return 7.0 * dy

    @function.Defun(tf.float32, grad_func=slope)
    def twice(x):
        return 2.0 * x

    @function.Defun(python_grad_func=lambda op, dy: dy * op.inputs[0] * 10.0)
    def thrice(x):
        return 3.0 * x

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.0, 2.0])
        assert session.run(twice(x)).tolist() == [2.0, 4.0]
        assert session.run(tf.gradients(twice(x), x)[0]).tolist() == [7.0, 7.0]
        assert session.run(tf.gradients(thrice(x), x)[0]).tolist() == [10.0, 20.0]
    with pytest.raises(ValueError, match="fewer arguments than the number"):
        function.Defun(tf.float32, tf.float32)(lambda x: x)


def test_automatic_control_dependencies(load):
    function = load("eager.function")
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.contrib.eager.Variable(1.0)
        session.run(tf.global_variables_initializer())
        with function.AutomaticControlDependencies() as block:
            v.assign(v + 1)
            v.assign(2 * v)
            value = block.mark_as_return(v.read_value())
        assert session.run(value) == 4.0


def test_the_fast_path(load):
    wrap = load("pywrap_tensorflow")
    context, core = load("eager.context").context(), load("eager.core")
    with dispatch.entered(MODE):
        x = tf.constant([[1.0, 2.0], [3.0, 4.0]])

        def run(kind, *rest):
            start = context._handle, context.device_name, kind, None, None
            return wrap.TFE_Py_FastPathExecute(*start, *rest)

        product = run("MatMul", x, x, "transpose_b", True)
        assert product.numpy().tolist() == [[5, 11], [11, 25]]
        assert run("AddN", [x, x, x]).numpy().tolist() == [[3, 6], [9, 12]]
        with pytest.raises(core._FallbackException):
            run("Split", tf.constant(0), x, "num_split", -1)
        with pytest.raises(ValueError, match="Expected to be at least 6, was 5"):
            run("Identity")


def test_tapes_by_hand(load):
    tape = load("eager.tape")
    with dispatch.entered(MODE):
        x = tf.constant(3.0)
        t = tape.push_new_tape()
        tape.watch(t, x)
        assert tape.could_possibly_record() and tape.should_record([x])
        with tape.stop_recording():
            x + 1.0
        y = x * x
        tape.pop_tape(t)
        assert t.gradient(y, x).numpy() == 6.0 and not tape.could_possibly_record()


def test_gradients_from_their_parts(load):
    gradients, maths = load("ops.gradients_impl"), load("ops.math_ops")
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.constant([1.0, 2.0])
        (found,) = gradients._hessian_vector_product(x * x * x, [x], [tf.ones([2])])
        assert session.run(found).tolist() == [6.0, 12.0]
        slices = maths._as_indexed_slices(tf.constant([[1.0], [2.0]]))
        both = gradients._AggregateIndexedSlicesGradients([slices, slices])
        assert session.run(both.indices).tolist() == [0, 1, 0, 1]
        node = tf.square(x).op
        (slope,) = load("framework.ops").get_gradient_function(node)(node, tf.ones([2]))
        assert session.run(slope).tolist() == [2.0, 4.0]


def test_shapes(load):
    common = load("framework.common_shapes")
    known = tf.TensorShape([3, 1])
    assert common.broadcast_shape(known, tf.TensorShape([1, 4])).as_list() == [3, 4]
    assert not common.is_broadcast_compatible(known, tf.TensorShape([2, 4]))
    sizes = [(5, None), (3, 3), (2, 1)]
    assert common.get_conv_output_size(*sizes, b"VALID") == (2, None)
    with tf.Graph().as_default():
        x = tf.placeholder(tf.int32, [])
        found = shapes.constant_value_as_shape(tf.stack([2, x, -1]))
        assert found.as_list() == [2, None, None]
        assert shapes.constant_value(tf.fill([2], 3.0)).tolist() == [3.0, 3.0]


def test_decorators_and_their_targets():
    def f(a, b=1, **more):
        return a

    wrapped = decorators.make_decorator(f, lambda *args: f(*args), "mine")
    assert wrapped(3) == 3 and decorators.unwrap(wrapped)[1] is f
    assert python_util.fn_args(f) == ("a", "b") and python_util.has_kwargs(f)
    assert python_util.get_func_name(wrapped) == "f"
    with pytest.raises(ValueError, match="keyword args"):
        python_util.keyword_args_only(f)(1)


def test_deprecated_functions(caplog):
    @deprecation.deprecated("2018-01-01", "Use g.")
    def f():
        return 1

    @deprecation.deprecated_args(None, "Use b.", "a")
    def g(a=None, b=None):
        return b

    with warnings.catch_warnings():
        assert f() == f() == 1 and g(b=2) == 2 and "after 2018" in f.__doc__
    with pytest.raises(ValueError, match="YYYY-MM-DD"):
        deprecation.deprecated("soon", "Use g.")
    with pytest.raises(ValueError, match="both 'old' and 'new'"):
        deprecation.deprecated_argument_lookup("new", 1, "old", 2)


def test_messages_in_tests():
    case = tf.test.TestCase()
    graph = tf.GraphDef()
    graph.node.add(name="a", op="b")
    case.assertProtoEquals("node { name: 'a' op: 'b' }", graph)
    with pytest.raises(AssertionError):
        case.assertProtoEquals("node { name: 'z' }", graph)
    with pytest.raises(AssertionError):
        case.assertProtoEquals("no message", graph)


def test_bounded_specs():
    spec = tf.contrib.framework.BoundedTensorSpec([2], tf.float32, 0, [1.0, 2.0])
    assert spec.maximum.tolist() == [1.0, 2.0] and spec == spec
    with pytest.raises(ValueError, match="not compatible with shape"):
        tf.contrib.framework.BoundedTensorSpec([2], tf.float32, [0, 0, 0], 1)


def test_devices(load):
    device, lib = load("framework.device"), load("client.device_lib")
    found = lib.list_local_devices()
    assert (found[0].device_type, found[0].name) == ("CPU", "/device:CPU:0")
    with tf.Graph().as_default():
        node = tf.constant(1).op
        assert device.merge_device("/job:a/gpu:0")(node) == "/job:a/device:GPU:0"
    with pytest.raises(ValueError, match="no such"):
        device.check_valid("/no such:place")


def test_kinds_of_nodes(load):
    util = load("ops.control_flow_util")
    with tf.Graph().as_default():
        node = tf.constant(1).op
        assert not (util.IsSwitch(node) or util.IsLoopEnter(node))
        assert not (util.IsCondMerge(node) or util.IsLoopMerge(node))
        x = tf.constant(0)
        inner = lambda i: tf.cond(i > 1, lambda: i + 1, lambda: i + 2)
        tf.cond(x > 1, lambda: tf.while_loop(lambda i: i < 3, inner, [x]), lambda: x)
        nodes = tf.get_default_graph().get_operations()
        names = lambda kind: [n.name for n in nodes if getattr(util, f"Is{kind}")(n)]
        assert names("CondMerge") == ["cond/while/cond/Merge", "cond/Merge"]
        assert names("LoopMerge") == ["cond/while/Merge"]
        assert names("LoopExit") == ["cond/while/Exit"]
        assert len(names("Merge")) == 3


def test_no_deep_name_is_lost():
    """Raise the number with what is added; what moved needs a line in homes.txt."""
    listed = [(p, n) for p, m in table.modules().items() for n in m.names]
    found = [pair for pair in listed if resolve.attribute(*pair, None) is not None]
    assert len(found) >= 3503, len(found)


def test_everything_made_of_tensors_is_like_a_tensor():
    from_ops = framework.AnyTensor
    sparse = tf.SparseTensor([[0]], [1.0], [2])
    rows = tf.IndexedSlices(tf.ones([1]), tf.constant([0]))
    assert all(isinstance(x, from_ops) for x in (sparse, rows, tf.ones([1])))
    assert not isinstance(np.ones(1), from_ops)


def test_a_list_of_modules_is_counted():
    text = "tensorflow.python.ops.math_ops: multiply _old lost\ntensorflow.lost: a b"
    modules = deep_modules.listed(text)
    lacking = deep_modules.missing(modules)
    assert lacking == {"python.ops.math_ops": ["_old", "lost"], "lost": ["a", "b"]}
    assert deep_modules.shares(modules, lacking) == {
        "program": (1, 4), "C interface": (0, 0), "test": (0, 0), "example": (0, 0),
        "private": (0, 1),
    }  # fmt: skip


@pytest.mark.usefixtures("eager")
def test_what_programs_took_from_deep_modules_in_other_forms():
    data = resolve.attribute("python.data.ops.dataset_ops", "RangeDataset")(5)
    data = resolve.attribute("python.data.ops.dataset_ops", "BatchDataset")(data, 2)
    assert [list(b.numpy()) for b in data] == [[0, 1], [2, 3], [4]]
    add = resolve.attribute("python.ops.gen_math_ops", "add_eager_fallback")
    assert add(1.0, 2.0, name=None, ctx=None).numpy() == 3
    assert resolve.attribute("python.ops.standard_ops", "newaxis") is None


def test_names_of_combinations(load):
    cases = load("framework.test_util").generate_combinations_with_testcase_name(
        ma=[1], mb=[2], c=[3, 4]
    )
    assert [case["testcase_name"] for case in cases] == [
        "_test_c_3_mb_2_ma_1", "_test_c_4_mb_2_ma_1",
    ]  # fmt: skip


def test_private_parts_of_keras(load):
    assert load("keras").__version__ == "2.1.6-tf"
    deferred = load("keras.engine.base_layer").DeferredTensor((None, 2), "float32", "x")
    assert str(deferred) == "DeferredTensor('x', shape=(?, 2), dtype=float32)"
    saving = load("keras.engine.saving")
    layer = tf.keras.layers.LSTM(2)
    with dispatch.entered(MODE):
        layer(np.zeros([1, 2, 3], np.float32))
        values = layer.get_weights()
        found = saving.preprocess_weights_for_loading(layer, values)
    assert all(a is b for a, b in zip(found, values, strict=True))
    squeeze = load("ops.confusion_matrix").remove_squeezable_dimensions
    with dispatch.entered(MODE):
        labels, _ = squeeze(np.zeros([2, 1]), np.zeros([2, 2]), expected_rank_diff=1)
    assert labels.shape.as_list() == [2]
    kind = load("pywrap_tensorflow").TF_bfloat16_type()
    assert np.dtype(kind) == tf.bfloat16.as_numpy_dtype
