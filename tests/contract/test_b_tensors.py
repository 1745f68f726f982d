"""Contract B: eager tensors."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import twinflow as tf
from tests.contract.programs import printed, process

pytestmark = pytest.mark.usefixtures("eager")


def matrix():
    return tf.constant([[1, 2], [3, 4]])


def number(text):
    """A printed form with the id of the tensor left out."""
    start, _, rest = text.partition("id=")
    return start + "id=N" + rest[rest.index(",") :] if rest else text


# ------------------------------------------------------------------ values and text
def test_b01_b02_ops_return_values_at_once_also_of_lists():
    x = [[2.0]]
    m = tf.matmul(x, x)
    assert m.numpy().tolist() == [[4.0]] and m.dtype is tf.float32


def test_b03_format_of_a_matrix():
    assert "hello, {}".format(tf.matmul([[2.0]], [[2.0]])) == "hello, [[4.]]"
    assert f"{tf.constant([1, 2])}" == "[1 2]" and f"{tf.constant(True)}" == "True"


def test_b04_format_of_a_scalar():
    loss = tf.constant(69.0664)
    assert "Initial loss: {:.3f}".format(loss) == "Initial loss: 69.066"
    assert "{:03d}: {:.3f}".format(20, loss) == "020: 69.066"
    assert "%f" % loss.numpy() == "69.066399" and "%.1f" % loss == "69.1"
    assert f"{tf.constant(7):03d}" == "007"


PRINTED = [
    (matrix, "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)"),
    (lambda: matrix() * (matrix() + 1),
     "tf.Tensor(\n[[ 2  6]\n [12 20]], shape=(2, 2), dtype=int32)"),
    (lambda: tf.matmul([[2.0]], [[2.0]]),
     "tf.Tensor([[4.]], shape=(1, 1), dtype=float32)"),
    (lambda: tf.constant(3), "tf.Tensor(3, shape=(), dtype=int32)"),
    (lambda: tf.constant(0.1), "tf.Tensor(0.1, shape=(), dtype=float32)"),
    (lambda: tf.constant(True), "tf.Tensor(True, shape=(), dtype=bool)"),
    (lambda: tf.constant("abc"), "tf.Tensor(b'abc', shape=(), dtype=string)"),
    (lambda: tf.constant([1.0, 2.5]),
     "tf.Tensor([1.  2.5], shape=(2,), dtype=float32)"),
    (lambda: tf.zeros([0, 3]), "tf.Tensor([], shape=(0, 3), dtype=float32)"),
    (lambda: tf.constant(2.0, tf.float16), "tf.Tensor(2.0, shape=(), dtype=float16)"),
    (lambda: tf.constant(1 + 2j), "tf.Tensor((1+2j), shape=(), dtype=complex128)"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "text"), PRINTED)
def test_b05_print(make, text):
    assert printed(print, make())[0] == text + "\n"


def test_b06_long_tensors_are_abbreviated():
    text = "[0. 0. 0. ... 0. 0. 0.]"
    found = str(tf.zeros([2000]))
    assert found == f"tf.Tensor({text}, shape=(2000,), dtype=float32)"


SHOWN = [
    (lambda: tf.constant(4.0), "shape=(), dtype=float32, numpy=4.0>"),
    (lambda: tf.constant(4), "shape=(), dtype=int32, numpy=4>"),
    (lambda: tf.constant(True), "shape=(), dtype=bool, numpy=True>"),
    (lambda: tf.constant("a"), "shape=(), dtype=string, numpy=b'a'>"),
    (lambda: tf.constant(0.1, tf.float64), "shape=(), dtype=float64, numpy=0.1>"),
    (matrix,
     "shape=(2, 2), dtype=int32, "
     "numpy=\narray([[1, 2],\n       [3, 4]], dtype=int32)>"),
    (lambda: tf.constant([1.0]),
     "shape=(1,), dtype=float32, numpy=array([1.], dtype=float32)>"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "text"), SHOWN)
def test_b07_repr_has_no_trace_of_numpy_2(make, text):
    x = make()
    assert number(repr(x)) == f"<tf.Tensor: id=N, {text}"
    assert repr(x) == repr(x)


def test_b08_notebooks_show_the_repr():
    x = matrix()
    forms = ("_repr_mimebundle_", "_repr_latex_", "_repr_pretty_")
    assert not any(hasattr(x, name) for name in forms)
    assert x._repr_html_() is None  # a large one has a card, beside its repr
    formatters = pytest.importorskip("IPython.core.formatters")
    found, _ = formatters.DisplayFormatter().format(x)
    assert found == {"text/plain": repr(x)}
    large = tf.zeros([20, 20])
    found, _ = formatters.DisplayFormatter().format(large)
    assert found["text/plain"] == repr(large) and "text/html" in found


def test_b09_how_graph_tensors_print(graph):
    x = tf.placeholder(tf.float32, shape=[1, 1])
    m = tf.matmul(x, x)
    assert str(m) == 'Tensor("MatMul:0", shape=(1, 1), dtype=float32)'
    assert repr(m) == "<tf.Tensor 'MatMul:0' shape=(1, 1) dtype=float32>"
    part, free = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32)
    assert "shape=(?, 3)" in str(part) and "shape=(?, 3)" in repr(part)
    assert str(free) == 'Tensor("Placeholder_2:0", dtype=float32)'
    assert repr(free) == "<tf.Tensor 'Placeholder_2:0' shape=<unknown> dtype=float32>"


# ------------------------------------------------------------------ in and out
def test_b10_dtypes_of_what_is_converted():
    kinds = [(1, "int32"), (1.0, "float32"), ([[1]], "int32"), (2**40, "int64")]
    kinds += [(np.zeros(2), "float64"), (np.int16(1), "int16"), (True, "bool")]
    kinds += [(np.arange(3), "int64"), ("x", "string"), (1j, "complex128")]
    for value, name in kinds:
        assert tf.constant(value).dtype.name == name


def test_b11_add_broadcasts():
    assert tf.add(matrix(), 1).numpy().tolist() == [[2, 3], [4, 5]]
    assert tf.add(matrix(), [10, 20]).numpy().tolist() == [[11, 22], [13, 24]]


def test_b12_operators():
    a, b = tf.constant([7.0, -7.0]), tf.constant([2.0, 2.0])
    found = [a + b, a - b, a * b, a / b, a // b, a % b, b**2, -a, 1 - a, 2 / b, 2**b]
    values = [[9, -5], [5, -9], [14, -14], [3.5, -3.5], [3, -4], [1, 1], [4, 4]]
    values += [[-7, 7], [-6, 8], [1, 1], [4, 4]]
    assert [x.numpy().tolist() for x in found] == values
    tests = [a < b, a <= b, a > b, a >= b, 0 < a]  # noqa: SIM300
    answers = [[False, True]] * 2 + [[True, False]] * 3
    assert [x.numpy().tolist() for x in tests] == answers
    i = tf.constant(7)
    assert [(i % 3).numpy(), (i // 2).numpy(), (15 % i).numpy()] == [1, 3, 1]
    counter = first = tf.constant(0)
    counter += 1
    assert counter.numpy() == 1 and first.numpy() == 0 and counter is not first


def test_b13_equality_is_identity():
    a, b = tf.constant([1, 2]), tf.constant([1, 2])
    assert (a == b) is False and (a != b) is True and a == a
    assert tf.equal(a, b).numpy().tolist() == [True, True]
    assert len({a, b, a}) == 2 and {a: 1}[a] == 1


def test_b14_numpy_takes_tensors():
    a, b = matrix(), tf.add(matrix(), 1)
    c = np.multiply(a, b)
    assert type(c) is np.ndarray and c.tolist() == [[2, 6], [12, 20]]
    squared = np.square(tf.constant([1.0, 2.0, 3.0]))
    assert type(squared) is np.ndarray and squared.dtype == np.float32


def test_b15_ops_take_python_objects_and_arrays():
    assert tf.square(3).numpy() == 9
    assert tf.add(np.float32([1]), [2.0]).numpy().tolist() == [3.0]
    assert (np.float32([1, 2]) + tf.constant([1.0, 1.0])).numpy().tolist() == [2.0, 3.0]
    assert tf.concat([[1], tf.constant([2])], 0).numpy().tolist() == [1, 2]


def test_b16_numpy():
    x = tf.constant([1.0, 2.0, 3.0])
    assert type(x.numpy()) == np.ndarray  # noqa: E721 - as the seed has it
    scalar = tf.multiply(3.0, 3.0).numpy()
    assert type(scalar) is np.float32 and scalar == 9
    x.numpy()[0] = 5.0
    assert x.numpy()[0] == 1.0


def test_b17_python_numbers():
    assert int(tf.constant(7) % 3) == 1 and float(tf.constant(0.5)) == 0.5
    assert bool(tf.constant(True)) and not tf.constant(1.0) > 2.0
    assert (
        list(range(tf.constant(3).numpy())) == [0, 1, 2] == list(range(tf.constant(3)))
    )
    with pytest.raises(ValueError, match=r"Non-scalar tensor .* to boolean\."):
        bool(tf.constant([True, False]))


def test_b18_tensors_are_iterable_and_indexable():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert [row.numpy().tolist() for row in x] == [[1.0, 2.0], [3.0, 4.0]]
    assert x[1, 0].numpy() == 3.0 and x[:, 1].numpy().tolist() == [2.0, 4.0]
    assert x[..., None, 1:].shape == (2, 1, 1)
    with pytest.raises(TypeError, match=r"Cannot iterate over a scalar tensor."):
        iter(tf.constant(1.0))


def test_b19_shapes():
    x = tf.random_uniform([2, 2])
    found = [x[i, j] for i in range(x.shape[0]) for j in range(x.shape[1])]
    assert len(found) == 4
    batch = tf.zeros([1, 1, 784])
    assert printed(print, batch.shape)[0] == "(1, 1, 784)\n"
    size, steps, dim = batch.shape.as_list()
    assert (size, steps, dim) == (1, 1, 784) and batch.shape[-1].value == 784


def test_b20_python_builtins():
    diff = tf.reshape(abs(tf.constant([[-1e-7], [1e-8]])), [-1])
    assert all(diff < 1e-6) and not any(diff > 1e-6)
    with pytest.raises(TypeError, match=r"has no len()"):
        len(diff)


def test_b21_convert_to_tensor():
    n = tf.convert_to_tensor(15)
    assert n.numpy() == 15 and tf.convert_to_tensor(n) is n


def test_b22_looking_at_values_does_not_break_gradients():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        printed(print, y)
        assert y.numpy() == 9.0 and float(y) == 9.0 and y > 8.0 and f"{y:.1f}" == "9.0"
        z = y * x
    assert tape.gradient(z, x).numpy() == 27.0


def test_b23_tensors_and_variables_are_freed():
    t, v = tf.random_normal([10]), tf.contrib.eager.Variable(tf.zeros([10]))
    refs = [weakref.ref(t), weakref.ref(v)]
    with tf.GradientTape() as tape:
        y = t * v
    tape.gradient(y, v)
    del t, v, y, tape
    gc.collect()
    assert [r() for r in refs] == [None, None]


def test_b24_names_belong_to_graphs():
    x = tf.constant(1.0)
    for name in ("name", "op", "graph", "value_index"):
        with pytest.raises(AttributeError) as raised:
            getattr(x, name)
        text = f"Tensor.{name} is meaningless when eager execution is enabled."
        assert str(raised.value) == text
    if not tf.test.is_gpu_available():
        assert x.device == "/job:localhost/replica:0/task:0/device:CPU:0"


def test_b25_items_cannot_be_assigned():
    with pytest.raises(TypeError, match="EagerTensor' object does not support item"):
        matrix()[0] = 1


def test_b26_what_graph_tensors_refuse(graph):
    x = tf.placeholder(tf.float32, [3])
    text = (
        "Tensor objects are only iterable when eager execution is enabled. To iterate "
        "over this tensor use tf.map_fn."
    )
    with pytest.raises(TypeError) as raised:
        iter(x)
    assert str(raised.value) == text
    start = (
        "Using a `tf.Tensor` as a Python `bool` is not allowed. Use `if t is not "
        "None:` instead of `if t:`"
    )
    with pytest.raises(TypeError) as raised:
        bool(x > 0)
    assert str(raised.value).startswith(start)
    assert not any(hasattr(x, name) for name in ("numpy", "gpu", "cpu"))


ERRORS = [
    (lambda: tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3])),
     "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3] [Op:MatMul] name: MatMul/"),
    (lambda: tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0]),
     "Incompatible shapes: [2] vs. [3] [Op:Add] name: add/"),
    (lambda: tf.constant(1.0) + tf.constant(1),
     "cannot compute Add as input #0(zero-based) was expected to be a int32 tensor but "
     "is a float tensor [Op:Add] name: add/"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "text"), ERRORS)
def test_b27_errors_come_at_once(call, text):
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        call()
    assert str(raised.value) == text and raised.value.message == text


def test_b27_the_user_sees_the_failing_line():
    source = """
        import twinflow as tf
        tf.enable_eager_execution()
        x = tf.constant([1., 2.])
        x + tf.constant([1., 2., 3.])
    """
    found = process(source)
    assert "InvalidArgumentError: Incompatible shapes: [2] vs. [3] [Op:Add]" in found


# ------------------------------------------------------------------ seeds in a row
def test_tensors_copy_and_pickle():
    x = matrix()
    for y in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert y.numpy().tolist() == x.numpy().tolist() and y.dtype is x.dtype


@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_numpy_and_back(shape):
    a = np.random.RandomState(0).uniform(size=shape).astype(np.float32)
    np.testing.assert_array_equal(np.asarray(tf.constant(a)), a)
