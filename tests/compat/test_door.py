"""The door: `import tensorflow` and its deep modules give twinflow."""

import importlib
import importlib.util
import pkgutil
import sys
import warnings

import numpy as np
import pytest

import twinflow
from twinflow.base import dispatch
from twinflow.compat.door import absent, finder, habits, homes, resolve, table
from twinflow.eager.mode import MODE


@pytest.fixture
def door():
    """An open door, closed and forgotten afterwards."""
    finder.open_door()
    yield
    finder.close_door()


def load(path):
    return importlib.import_module(path)


def test_tensorflow_is_twinflow(door):
    tf = load("tensorflow")
    assert tf.__version__ == tf.VERSION == "1.12.0"
    assert tf.__git_version__ == tf.GIT_VERSION and tf.COMPILER_VERSION
    assert tf.matmul is twinflow.matmul and tf.nn.relu is twinflow.nn.relu
    assert tf.Tensor is twinflow.Tensor and "matmul" in dir(tf)
    assert not hasattr(tf, "base")  # a package inside the house is no name of tf
    assert load("tensorflow.contrib.eager").defun is twinflow.contrib.eager.defun
    assert load("tensorflow.keras.layers").Dense is twinflow.keras.layers.Dense


def test_deep_modules(door):
    deep = {
        "python.framework.ops": "Graph Tensor convert_to_tensor name_scope device "
        "control_dependencies RegisterGradient IndexedSlices get_default_graph",
        "python.framework.dtypes": "float32 as_dtype DType",
        "python.framework.constant_op": "constant",
        "python.framework.errors": "OpError InvalidArgumentError OutOfRangeError",
        "python.framework.errors_impl": "NotFoundError",
        "python.framework.tensor_shape": "TensorShape Dimension",
        "python.ops.array_ops": "concat reshape tile placeholder zeros identity",
        "python.ops.math_ops": "reduce_sum matmul cast multiply add",
        "python.ops.control_flow_ops": "cond while_loop group",
        "python.ops.variables": "global_variables_initializer trainable_variables",
        "python.ops.variable_scope": "get_variable variable_scope AUTO_REUSE",
        "python.ops.init_ops": "zeros_initializer random_normal_initializer",
        "python.ops.gradients_impl": "gradients",
        "python.ops.gradients": "gradients",
        "python.client.session": "Session",
        "python.training.adam": "AdamOptimizer",
    }
    for path, names in deep.items():
        module = load(f"tensorflow.{path}")
        for name in names.split():
            public = getattr(twinflow, name, None) or getattr(module, name)
            assert getattr(module, name) is public, (path, name)
    nn = load("tensorflow.python.ops.nn")
    assert nn.relu is twinflow.nn.relu and nn.dropout is twinflow.nn.dropout
    ops = load("tensorflow.python.ops.resource_variable_ops")
    assert ops.ResourceVariable is twinflow.contrib.eager.Variable
    backprop = load("tensorflow.python.eager.backprop")
    assert backprop.implicit_grad is twinflow.contrib.eager.implicit_gradients
    test = load("tensorflow.python.platform.test")
    assert test.TestCase is twinflow.test.TestCase
    test_util = load("tensorflow.python.framework.test_util")
    assert test_util.TensorFlowTestCase is twinflow.test.TestCase


def test_modules_below_come_before_names(door):
    ops = load("tensorflow.python.ops")
    assert ops.variable_scope.get_variable is twinflow.get_variable
    eager = load("tensorflow.python.eager")
    assert eager.function.defun is twinflow.contrib.eager.defun
    assert load("tensorflow").python.ops.math_ops is ops.math_ops


def test_the_modes_of_the_context(door):
    context = load("tensorflow.python.eager.context")
    with context.graph_mode():
        assert not context.executing_eagerly() and not context.in_eager_mode()
        with context.eager_mode():
            assert context.context().executing_eagerly()


def test_generated_functions(door):
    arrays = load("tensorflow.python.ops.gen_array_ops")
    maths = load("tensorflow.python.ops.gen_math_ops")
    with dispatch.entered(MODE):
        assert arrays.reshape([1, 2, 3, 4], [2, 2]).shape == (2, 2)
        found = arrays.unique([3, 3, 5], out_idx=twinflow.int64)
        assert list(found.y.numpy()) == [3, 5] and found.idx.dtype is twinflow.int64
        x = twinflow.constant([[1.0, 2.0]])
        assert maths._sum(x, axis=[1], keep_dims=True).numpy() == [[3.0]]
        product = maths.mat_mul(x, x, transpose_b=True)
        np.testing.assert_array_equal(product, [[5.0]])
    with pytest.raises(TypeError, match="tensor"):
        arrays.reshape(shape=[2])
    with twinflow.Graph().as_default():
        t = arrays.reshape([1, 2], [2, 1], name="mine")
        assert t.op.type == "Reshape" and t.name == "mine:0"


def test_what_is_missing_says_so_in_one_line(door):
    module = load("tensorflow.python.framework.c_api_util")
    path = "tensorflow.python.framework.c_api_util.ScopedTFStatus"
    text = f"twinflow does not have {path}, which is"
    with pytest.raises(AttributeError, match=text):
        module.ScopedTFStatus
    with pytest.raises(ImportError, match=text + " part of TensorFlow 1.12$"):
        exec("from tensorflow.python.framework.c_api_util import ScopedTFStatus", {})
    with pytest.raises(ImportError, match=r"not have tensorflow\.python.ops\.no_such$"):
        load("tensorflow.python.ops.no_such")
    with pytest.raises(ImportError, match=r"tensorflow\.contrib\.tensorrt, which is"):
        load("tensorflow.contrib.tensorrt")
    with pytest.raises(ImportError, match=r"no such|tensorflow\.examples\.no$"):
        load("tensorflow.examples.no")
    assert not hasattr(load("tensorflow"), "__no_such__")


def test_a_real_tensorflow_is_not_loaded(door, tmp_path, monkeypatch):
    for name in ("tensorflow", "tensorflow/python", "tensorflow/python/ops"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('real')")
    monkeypatch.syspath_prepend(tmp_path)
    assert load("tensorflow").add is twinflow.add
    assert load("tensorflow.python.ops.array_ops").rank is twinflow.rank


def test_the_door_refuses_to_replace_a_loaded_tensorflow(monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow", type(sys)("tensorflow"))
    with pytest.raises(ImportError, match="before the door was opened"):
        finder.open_door()
    assert not finder.is_open()


def test_importing_the_module_opens_the_door(monkeypatch):
    monkeypatch.delitem(sys.modules, "twinflow.compat.tensorflow", raising=False)
    try:
        module = load("twinflow.compat.tensorflow")
        assert finder.is_open() and module.__name__ == "twinflow.compat.tensorflow"
        assert module.add is twinflow.add and module.VERSION == "1.12.0"
    finally:
        finder.close_door()
        sys.modules.pop("twinflow.compat.tensorflow", None)


def _is_known(path):
    """Whether 1.12 has a module, or a later version, or the tests of 1.12."""
    others = path in (
        "compat.v1",
        "tools",
        "tools.graph_transforms",
    ) or path.startswith(("contrib.", "python.debug.lib."))
    return others or path in table.packages()


def test_every_home_exists():
    for path, places in homes.MODULES.items():
        assert _is_known(path), path
        for place in places:
            pkgutil.resolve_name(place)
    for path, names in homes.NAMES.items():
        assert _is_known(path), path
        for place in names.values():
            pkgutil.resolve_name(place)


def test_most_of_the_names_of_the_usual_modules_are_there():
    for module in ("array_ops", "math_ops", "nn_ops", "nn_impl", "check_ops", "rnn"):
        names = table.modules()[f"python.ops.{module}"].names
        there = [n for n in names if n in resolve.names(f"python.ops.{module}")]
        assert len(there) >= 0.85 * len(names), module


def test_habits_come_and_go():
    assert not hasattr(np, "float")
    undo = habits.restore()
    try:
        assert np.float is float and np.object is object and np.NaN is np.nan
        case = twinflow.test.TestCase()
        case.assertItemsEqual([1, 2], [2, 1])
        with warnings.catch_warnings(action="ignore"):  # Python 3.11 has it still
            case.assertEquals(1, 1)
        with dispatch.entered(MODE):
            it = twinflow.data.Dataset.range(2).make_one_shot_iterator()
            assert it.next().numpy() == 0
    finally:
        undo()
    assert not hasattr(np, "float")


def test_stand_ins_for_modules_that_python_dropped(tmp_path):
    (tmp_path / "plain.py").write_text("x = 3")
    assert absent.load_source("plain_by_imp", str(tmp_path / "plain.py")).x == 3
    old, new = absent.LooseVersion("1.9.0"), absent.LooseVersion("1.12.0rc1")
    assert old < new and old <= "1.9.0" and new > old and str(new) == "1.12.0rc1"
    assert absent.StrictVersion("1.2") == "1.2.0"
    assert absent.strtobool("Yes") == 1 and absent.strtobool("off") == 0
    with pytest.raises(ValueError, match="invalid truth value"):
        absent.strtobool("perhaps")
    spec = absent.FINDER.find_spec("distutils.version")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.LooseVersion is absent.LooseVersion


def test_a_module_that_cannot_be_imported_is_not_called_missing(monkeypatch):
    index = importlib.import_module("twinflow.contrib.metrics")
    monkeypatch.delitem(vars(index), "cohen_kappa", raising=False)
    monkeypatch.setitem(sys.modules, "twinflow.contrib.metrics.statistics", None)
    with pytest.raises(ImportError, match=r"metrics\.statistics"):
        resolve.attribute("contrib.metrics", "cohen_kappa")


@pytest.mark.parametrize("first", ["the function", "the module"])
def test_a_function_hides_the_module_of_its_name_as_in_tensorflow(door, first):
    if first == "the module":
        module = load("tensorflow.contrib.framework.python.ops.arg_scope")
        assert module.add_arg_scope is twinflow.contrib.slim.add_arg_scope
    ops = load("tensorflow.contrib.framework.python.ops")
    assert ops.arg_scope is twinflow.contrib.slim.arg_scope


def test_constants_of_saved_models(door):
    path = "tensorflow.python.saved_model"
    assert load(f"{path}.signature_constants").PREDICT_INPUTS == "inputs"
    assert load(f"{path}.tag_constants").SERVING == "serve"
    assert load(f"{path}.constants").VARIABLES_DIRECTORY == "variables"


@pytest.mark.parametrize(
    "path, names",
    [
        ("keras.layers", "Dense Conv2D Input LSTM add"),
        ("keras.models", "Sequential Model load_model"),
        ("keras", "layers models"),
        ("contrib.layers", "fully_connected batch_norm xavier_initializer"),
        ("contrib.slim", "conv2d arg_scope"),
        ("nn.rnn_cell", "LSTMCell MultiRNNCell"),
        ("nn", "relu conv2d softmax"),
        ("layers", "dense conv2d"),
        ("train", "AdamOptimizer Saver"),
        ("data", "Dataset"),
        ("python.ops.math_ops", "reduce_sum matmul"),
        ("python.ops.gen_math_ops", "mat_mul"),
    ],
)
def test_a_star_brings_all_names(door, path, names):
    found = {}
    exec(f"from tensorflow.{path} import *", found)
    assert set(names.split()) <= found.keys()
    public = {n for n in dir(load(f"tensorflow.{path}")) if n[0] != "_"}
    lost = {n for n in public - found.keys() if resolve.attribute(path, n, None)}
    assert not lost
