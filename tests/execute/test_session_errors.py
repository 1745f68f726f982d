"""Errors while a graph runs say what failed, on what, and where it was made."""

import pickle

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, interpreted
from twinflow.contrib import eager as tfe

HERE = "tests/execute/test_session_errors.py"
CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


@pytest.fixture(autouse=True, params=["interpreted", "compiled"])
def engine(request):
    chosen = (
        interpreted() if request.param == "interpreted" else compiled("incompatible")
    )
    with chosen, tf.Graph().as_default():
        yield


def failure(fetch, feeds=None):
    with tf.Session() as session, pytest.raises(tf.errors.OpError) as found:
        session.run(fetch, feeds)
    return found.value


def line_of(text):
    """The line of this file that contains a text."""
    with open(__file__, encoding="utf-8") as f:
        return next(i for i, line in enumerate(f, 1) if text in line)


def product(x):
    return tf.matmul(x, x, name="product")  # inner


def test_the_whole_text():
    x = tf.placeholder(tf.float32, [None, None], name="x")
    y = product(x)  # outer
    error = failure(y, {x: np.ones((2, 3))})
    inner, outer = line_of("# inner"), line_of("# outer")
    node = (
        f"[[node product (defined at {HERE}:{inner})  = MatMul[T=DT_FLOAT, "
        f'transpose_a=false, transpose_b=false, _device="{CPU}"]'
        "(x float32[2,3], x float32[2,3])]]"
    )
    said = "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]"
    assert error.message == f"{said}\n\t {node}"
    text = str(error)
    assert text.startswith(f"{error.message}\n\nCaused by op 'product', defined at:\n")
    frames = text[text.index("defined at:\n") : text.index("\n\nInvalid")]
    assert (
        f"line {outer}, in test_the_whole_text\n    y = product(x)  # outer" in frames
    )
    assert frames.rstrip().endswith(
        f'line {inner}, in product\n    return tf.matmul(x, x, name="product")  # inner'
    )
    last = "InvalidArgumentError (see above for traceback): "
    assert text.endswith(f"\n{last}{error.message}\n")
    assert error.op is y.op and error.node_def.op == "MatMul"
    assert error.error_code == tf.errors.INVALID_ARGUMENT


def test_inside_of_loops_and_branches():
    v = tf.placeholder(tf.float32, [None])
    shapes = [tf.TensorShape([]), tf.TensorShape([None])]
    _, loop = tf.while_loop(
        lambda i, x: i < 3,
        lambda i, x: (i + 1, x + tf.gather(x, [i + 2], name="deep")),
        [0, v], shape_invariants=shapes, name="loop",
    )  # fmt: skip
    error = failure(loop, {v: [1.0, 2.0]})
    assert error.op.name == "loop/deep" and "test_inside_of_loops" in str(error)
    branch = tf.cond(v[0] > 0.0, lambda: tf.gather(v, 7, name="far"), lambda: 0.0)
    assert failure(branch, {v: [1.0]}).op.name == "cond/far"
    mapped = tf.map_fn(lambda r: tf.gather(r, 9, name="row"), v[None])
    assert failure(mapped, {v: [1.0]}).op.name == "map/while/row"


def test_functions_name_their_callers():
    inner = tfe.defun(lambda v: tf.gather(v, 7, name="inside"))
    outer = tfe.defun(lambda v: inner(v) + 1.0)
    v = tf.placeholder(tf.float32, [None])
    y = outer(v)  # the call
    error = failure(y, {v: [1.0, 2.0]})
    assert error.op.name == "inside" and len(error.callers) == 2
    assert error.callers[1] is y.op and error.message.count("[[node ") == 3
    assert f"(defined at {HERE}:{line_of('# the call')})" in error.message
    text = str(error)
    assert text.index("Caused by op 'inside'") < text.index("in the function called by")


def test_gradients_name_the_forward_op():
    v, i = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.int32, [None])
    y = tf.unsorted_segment_sum(v, i, 2, name="sums")
    error = failure(tf.gradients(y, v), {v: [1.0, 2.0], i: [0, 7]})
    assert error.op._original_op is y.op
    assert "...which was originally created as op 'sums', defined at:" in str(error)


def test_a_chain_of_causes():
    graph = tf.get_default_graph()
    a = tf.constant(0.0, name="a")
    with graph._original_op(a.op):
        b = tf.identity(a, name="b")
    with graph._original_op(b.op):
        c = tf.placeholder(tf.float32, name="c")
    error = failure(c)
    assert error.op is c.op and error.op._original_op._original_op is a.op
    places = [str(error).index(f"op {n!r}, defined at") for n in "cba"]
    assert places == sorted(places)


def test_operations_that_are_fetched_run():
    x = tf.placeholder(tf.float32, [None])
    checked = tf.check_numerics(x, "bad", name="checked")
    assert failure(checked.op, {x: [np.nan]}).op.name == "checked"
    assert failure(x.op).op.name == "Placeholder"


def test_an_error_can_be_pickled():
    error = failure(tf.placeholder(tf.float32, [], name="x"))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and again.op is None
    assert again.message == error.message and again.node_def.name == "x"


def test_an_error_that_is_made_by_hand():
    op = tf.no_op(name="mine")
    text = str(tf.errors.AbortedError(None, op, "stop"))
    assert text.startswith("stop\n\nCaused by op 'mine', defined at:\n")
    assert text.endswith("AbortedError (see above for traceback): stop\n")
    assert str(tf.errors.AbortedError(None, None, "stop")) == "stop"


def test_values_that_are_no_arrays_are_left_out():
    queue = tf.FIFOQueue(1, tf.int32, name="q")
    with tf.Session() as session:
        session.run(queue.close())
        with pytest.raises(tf.errors.OutOfRangeError) as found:
            session.run(queue.dequeue(name="out"))
    assert "= QueueDequeueV2[" in found.value.message
    assert found.value.message.endswith("](q)]]")
