"""defun: traces, captures, structured arguments, variables, gradients."""

import gc
import weakref
from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted

tfe = tf.contrib.eager


@pytest.fixture(autouse=True, params=["interpreted", "compiled"])
def engine(request):
    with interpreted() if request.param == "interpreted" else compiled(), eager():
        yield


def counted(function):
    """A defun and the list of what it was traced with."""
    seen = []

    def traced(*args, **kwargs):
        seen.append((args, kwargs))
        return function(*args, **kwargs)

    return tfe.defun(traced), seen


def test_one_trace_per_kind_of_arguments():
    f, seen = counted(lambda x, k=1: x * k)
    x = tf.constant([1.0, 2.0])
    for _ in range(3):
        assert f(x).numpy().tolist() == [1.0, 2.0]
    assert len(seen) == 1
    for args, traces in [
        ((tf.constant([5.0, 6.0]),), 1), ((np.float32([1, 2]),), 1),
        ((tf.constant([1.0]),), 2), ((tf.constant([1, 2]),), 3), ((x, 2.0), 4),
        ((x, 2.0), 4), ((x, 3.0), 5), ((x, tf.constant(3.0)), 6),
        ((x, tf.constant(4.0)), 6),
    ]:  # fmt: skip
        f(*args)
        assert len(seen) == traces, args


def test_python_values_are_told_apart():
    f, seen = counted(lambda x: 1.0 / tf.constant(x))
    assert f(0.0).numpy() == np.inf and f(-0.0).numpy() == -np.inf
    assert np.isnan(f(float("nan")).numpy())
    f(float("nan"))
    assert len(seen) == 3
    g, seen = counted(lambda x: tf.constant(x))
    assert [g(v).dtype for v in (1, True, 1.0)] == [tf.int32, tf.bool, tf.float32]


def test_structured_arguments_and_results():
    Pair = namedtuple("Pair", "a b")
    f = tfe.defun(lambda p, d: {"sum": p.a + d["x"][0], "rest": (d["y"], [p.b], None)})
    out = f(Pair(tf.constant(1.0), 5), {"y": tf.constant(2.0), "x": [tf.constant(3.0)]})
    assert out["sum"].numpy() == 4.0 and out["rest"][0].numpy() == 2.0
    assert out["rest"][1][0].numpy() == 5 and out["rest"][2] is None


def test_keys_of_dicts_are_told_apart_and_kept_in_order():
    f = tfe.defun(lambda d: d[9] * 10.0 + d[10])
    assert f({9: tf.constant(1.0), 10: tf.constant(2.0)}).numpy() == 12.0
    g = tfe.defun(lambda d: d.get("a", 0.0) * 2.0 + d.get("b", 0.0))
    x = tf.constant(1.0)
    for kind in (dict, OrderedDict):
        assert g(kind(a=x)).numpy() == 2.0 and g(kind(b=x)).numpy() == 1.0


def test_nesting_is_told_apart():
    Pair = namedtuple("Pair", "a b")
    x = tf.constant(1.0)
    f = tfe.defun(lambda p: tf.constant(len(p.a)))
    assert f(Pair((x, x), (x,))).numpy() == 2 and f(Pair((x,), (x, x))).numpy() == 1


def test_captures_are_seen_as_they_are_at_the_call():
    v = tf.Variable(1.0)
    c = tf.constant(10.0)
    f = tfe.defun(lambda x: x * v + c)
    assert f(tf.constant(2.0)).numpy() == 12.0
    v.assign(5.0)
    assert f(tf.constant(2.0)).numpy() == 20.0


def test_variables_as_arguments():
    f, seen = counted(lambda v: v.assign_add(1.0) * 1.0)
    v, w = tf.Variable(1.0), tf.Variable(10.0)
    assert [f(v).numpy(), f(w).numpy(), f(v).numpy()] == [2.0, 11.0, 3.0]
    assert len(seen) == 2


def test_methods_share_no_traces_and_keep_nothing_alive():
    class Scale:
        def __init__(self, k):
            self.k = k

        @tfe.defun
        def call(self, x):
            return x * self.k

    a, b = Scale(2.0), Scale(3.0)
    x = tf.constant(1.0)
    assert a.call(x).numpy() == 2.0 and b.call(x).numpy() == 3.0
    assert a.call(x).numpy() == 2.0 and len(a.call.traces) == 1
    assert Scale(4.0).call(x).numpy() == 4.0
    gone = weakref.ref(a)
    del a
    gc.collect()
    assert gone() is None
    b.call = tfe.defun(b.call)
    assert b.call(x).numpy() == 3.0


def test_variables_made_on_the_first_call():
    class Dense:
        kernel = None

        def __call__(self, x):
            if self.kernel is None:
                self.kernel = tf.Variable(lambda: tf.ones([2, 2]) * 3.0)
            return tf.matmul(x, self.kernel)

    layer = Dense()
    f = tfe.defun(layer)
    x = tf.ones([1, 2])
    assert f(x).numpy().tolist() == [[6.0, 6.0]]
    layer.kernel.assign(tf.zeros([2, 2]))
    assert f(x).numpy().tolist() == [[0.0, 0.0]]
    assert f(tf.ones([2, 2])).shape.as_list() == [2, 2]
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(f(x))
    assert tape.gradient(y, layer.kernel).numpy().tolist() == [[1, 1], [1, 1]]


def test_deleted_variables():
    @tfe.defun
    def f(x):
        return x * tf.Variable(2.0)

    words = "Called a function referencing variables which have been deleted"
    with pytest.raises(AssertionError, match=words):
        f(tf.constant(1.0))
        f(tf.constant(1.0))


def test_effects_run_in_the_order_they_were_written():
    v, seen = tf.Variable(1.0), []

    @tfe.defun
    def f(x):
        before = v + 0.0
        v.assign(x)
        middle = v + 0.0
        v.assign_add(10.0)
        v.assign(v * 2.0)
        return before, middle, v.read_value()

    for _ in range(3):
        seen.append([t.numpy() for t in f(tf.constant(3.0))])
    assert seen == [[1, 3, 26], [26, 3, 26], [26, 3, 26]]


def test_nested_functions():
    v = tf.Variable(1.0)
    inner = tfe.defun(lambda x: v.assign_add(x) * x)
    outer = tfe.defun(lambda x: (inner(x) + inner(x * 2.0), v.read_value()))
    for _ in range(2):
        v.assign(1.0)
        a, b = outer(tf.constant(2.0))
        assert (a.numpy(), b.numpy()) == (34.0, 7.0)


def test_functions_that_return_nothing_or_operations():
    v = tf.Variable(1.0)
    f = tfe.defun(lambda: None)
    assert f() is None
    g = tfe.defun(lambda: v.assign_add(1.0, read_value=False))
    assert g() is None and g() is None and v.numpy() == 3.0
    h = tfe.defun(lambda x: (x, x, v))
    assert [t.numpy() for t in h(tf.constant(2.0))] == [2.0, 2.0, 3.0]


def test_functions_return_tensors():
    @tfe.defun
    def odd(x):
        return x, object()

    words = r"return zero or more Tensors; in compilation of odd, found .*'object'"
    with pytest.raises(TypeError, match=words):
        odd(tf.constant(1.0))


def test_errors_while_tracing_leave_nothing_behind():
    fail = [True]

    @tfe.defun
    def f(x):
        if fail[0]:
            raise KeyError("mine")
        return x * 2.0

    with pytest.raises(KeyError, match="mine"):
        f(tf.constant(1.0))
    fail[0] = False
    assert f(tf.constant(1.0)).numpy() == 2.0


def test_python_control_flow_on_tensors_is_refused():
    f = tfe.defun(lambda x: x if x > 0.0 else -x)
    with pytest.raises(TypeError, match="Python `bool` is not allowed"):
        f(tf.constant(1.0))


def test_inner_tensors_must_not_escape():
    kept = []
    f = tfe.defun(lambda x: kept.append(x * 2.0) or x)
    f(tf.constant(1.0))
    with pytest.raises(TypeError, match="graph tensor"):
        kept[0] + 1.0
    g = tfe.defun(lambda x: x + kept[0])
    with pytest.raises(ValueError, match="belongs to another function or graph"):
        g(tf.constant(1.0))


def test_what_goes_in_and_out_is_owned():
    v = tf.Variable([1.0, 2.0])
    f = tfe.defun(lambda x: (x, v.assign_add(x) * 1.0, v.read_value()))
    a = np.float32([1, 1])
    out = f(a)
    a[:] = 50.0
    arrays = [t.numpy() for t in out]
    for array in arrays:
        array[:] = 99.0
    held = v.value()
    assert [t.numpy().tolist() for t in out] == [[1, 1], [2, 3], [2, 3]]
    assert v.numpy().tolist() == [2.0, 3.0]
    for _ in range(3):
        f(tf.constant([1.0, 1.0]))
    assert held.numpy().tolist() == [2.0, 3.0] and v.numpy().tolist() == [5.0, 6.0]
    assert [t.numpy().tolist() for t in out] == [[1, 1], [2, 3], [2, 3]]


def test_random_numbers_are_drawn_anew_at_each_call():
    tf.set_random_seed(5)
    f = tfe.defun(lambda: tf.random_uniform([2]))
    a, b = f().numpy(), f().numpy()
    assert (a != b).all()
    tf.set_random_seed(5)
    c = [tf.random_uniform([2]).numpy() for _ in range(2)]
    assert np.array_equal([a, b], c)


def test_shape_computed_from_data():
    @tfe.defun
    def f(x):
        n = tf.reduce_sum(tf.cast(x > 0.0, tf.int32))
        return tf.reshape(x * 2.0, tf.stack([n, -1])) + 1.0

    for _ in range(3):
        for signs in ([1, 1, -1, -1], [1, 1, 1, 1], [1, -1, -1, -1]):
            x = np.float32(signs) * np.float32([1, 2, 3, 4])
            n = signs.count(1)
            wanted = (x * 2 + 1).reshape(n, -1)
            assert f(tf.constant(x)).numpy().tolist() == wanted.tolist()


class Spec:
    """What a TensorSpec knows."""

    def __init__(self, shape, dtype):
        self.shape, self.dtype = tf.TensorShape(shape), dtype


def test_input_signature_fixes_one_trace():
    f, seen = counted(lambda x: tf.reduce_sum(x, 0))
    f = tfe.defun(f.python_function, input_signature=[Spec([None, 2], tf.float32)])
    for n in (1, 3, 2):
        assert f(tf.ones([n, 2])).numpy().tolist() == [n, n]
    assert len(seen) == 1 and seen[0][0][0].shape.as_list() == [None, 2]
    for bad in (tf.ones([3]), tf.ones([3, 2], tf.int32), np.ones([3, 2])):
        with pytest.raises(ValueError, match="incompatible with input_signature"):
            f(bad)
    x = tf.ones([1, 2])
    for args, kwargs in [((), {}), ((x, x), {}), ((), {"x": x}), (([x],), {})]:
        with pytest.raises(ValueError, match="does not match input_signature"):
            f(*args, **kwargs)
    for signature in (3, [3]):
        with pytest.raises(TypeError, match="Invalid input_signature"):
            tfe.defun(lambda x: x, input_signature=signature)
