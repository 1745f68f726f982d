"""Programs that fail, each in its own way: `python failing.py FOLDER` writes a capsule
of each, and what the op that failed had for inputs.

The line that makes the op that fails has the comment `# here`.
"""

import contextlib
import hashlib
import json
import os
import sys

import numpy as np

import twinflow as tf
from twinflow.base.state import Cell
from twinflow.base.watching import Watcher, watched_by

tfe = tf.contrib.eager
PROGRAMS = {}


def program(when="error", place="", mode="graph"):
    """A program; `place` is what the report says of loops and functions."""

    def added(function):
        PROGRAMS[function.__name__] = (function, when, place, mode)
        return function

    return added


class Fingerprints(Watcher):
    """What the op that fails was given (eagerly the last one)."""

    def __init__(self, when):
        self.when, self.found, self.before = when, None, []

    def failed(self, run, error):
        end = isinstance(error, tf.errors.OutOfRangeError)
        first = self.found is None or run.node is None
        if self.when == "error" and not end and first:
            self.found = fingerprint(run)

    def begins(self, run):
        self.before = values_of(run)

    def ended(self, run):
        bad = has_bad(run.outputs) and not has_bad(run.inputs)
        bad = bad or (has_bad(values_of(run)) and not has_bad(self.before))
        if self.when == "nan" and bad and self.found is None:
            self.found = fingerprint(run)


def values_of(run):
    """The values of the variables that an op takes."""
    cells = [v for v in run.inputs if type(v) is Cell]
    return [c.read() for c in cells if c.initialized]


def has_bad(values):
    if isinstance(values, list | tuple):
        return any(map(has_bad, values))
    array = isinstance(values, np.ndarray | np.generic) and values.dtype.kind == "f"
    return array and not np.isfinite(values).all()


def fingerprint(run):
    return [run.op.type, [told(v) for v in run.inputs]]


def told(value):
    if isinstance(value, list | tuple):
        return [told(v) for v in value]
    if not isinstance(value, np.ndarray | np.generic):
        return type(value).__name__ if hasattr(value, "__dict__") else "other"
    body = repr(value.tolist()) if value.dtype == object else value.tobytes().hex()
    text = f"{value.dtype.name} {np.shape(value)} {body}"
    return hashlib.sha256(text.encode()).hexdigest()


# ---------------------------------------------------------------------- sessions
def session(fetches, feeds=None, runs=1):
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        sess.run(tf.tables_initializer())
        for _ in range(runs):
            sess.run(fetches, feeds)


@program("nan")
def log_of_a_difference():
    x = tf.placeholder(tf.float32, [3])
    y = x - 2.0
    session(tf.log(y) * 2.0, {x: [3.0, 2.5, 1.0]})  # here


@program()
def gather_out_of_range():
    x = tf.placeholder(tf.int32, [None])
    rows = tf.gather(tf.reshape(tf.range(6.0), [3, 2]), x + 1)  # here
    session(tf.reduce_sum(rows), {x: [0, 1, 2]})


@program(place="while/while[3]")
def check_in_a_loop():
    def body(i, x):
        y = tf.check_numerics(tf.log(x), "in the loop")  # here
        return i + 1, x - 1.0 + 0.0 * y

    session(tf.while_loop(lambda i, x: i < 9, body, [0, tf.constant(3.0)]))


@program(place="while/while_1[2] > while/while/while[1]")
def nested_loops():
    def outer(i, x):
        def inner(j, y):
            z = tf.gather([1.0, 2.0, 3.0], i + j)  # here
            return j + 1, y + z

        return i + 1, tf.while_loop(lambda j, y: j < 2, inner, [0, x])[1]

    session(tf.while_loop(lambda i, x: i < 5, outer, [0, 0.0]))


@program("nan")
def gradient_of_a_recurrent_net():
    x = tf.placeholder(tf.float32, [2, 3, 4])
    cell = tf.nn.rnn_cell.BasicLSTMCell(5)
    out, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    loss = tf.reduce_sum(tf.sqrt(out - out))
    slope = tf.gradients(loss, tf.trainable_variables())[0]  # here
    session(slope, {x: np.ones([2, 3, 4])})


@program(place="cond/cond(True)")
def in_a_branch():
    x = tf.placeholder(tf.float32, [])

    def yes():
        return tf.reduce_sum(tf.reshape(tf.range(x + 2.0), [2, 3]))  # here

    session(tf.cond(x > 1.0, yes, lambda: 0.0), {x: 3.0})


@program()
def assertion():
    x = tf.placeholder(tf.float32, [2])
    with tf.control_dependencies([tf.Assert(tf.reduce_all(x > 0.0), [x])]):  # here
        y = tf.identity(x)
    session(y, {x: [1.0, -1.0]})


@program("nan")
def seeded_draws():
    tf.set_random_seed(7)
    x = tf.random_normal([4, 3]) + tf.random_uniform([3], seed=3)
    y = tf.nn.dropout(x, 0.5)
    session(tf.reduce_sum(1.0 / y))  # here


@program("nan")
def unseeded_draws():
    x = tf.random_shuffle(tf.random_normal([50]))
    session(tf.log(x))  # here


@program("nan")
def training_with_momentum():
    w = tf.get_variable("w", [3], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(tf.exp(-w))  # here
    step = tf.train.MomentumOptimizer(-20.0, 0.9).minimize(loss)
    session(step, runs=9)


@program("nan")
def an_update_that_overflows():
    w = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    loss = tf.reduce_sum(w * w * 1e20)
    session(tf.train.GradientDescentOptimizer(1e30).minimize(loss), runs=2)  # here


@program()
def uninitialised():
    v = tf.get_variable("v", [2], use_resource=True)
    with tf.Session() as sess:
        sess.run(v * 2.0)  # here


@program()
def texts():
    x = tf.placeholder(tf.string, [None])
    y = tf.string_to_number(tf.string_join([x, "1"]))  # here
    session(y, {x: ["1", "22", "x\0y"]})


@program(place="map/while/while[2]")
def mapped():
    x = tf.constant([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    inverse = lambda r: tf.matrix_inverse([[r[0], r[1]], [r[1], r[0]]])  # here
    session(tf.map_fn(inverse, x))


@program()
def tensor_array():
    x = tf.placeholder(tf.float32, None)
    a = tf.TensorArray(tf.float32, 3).write(0, 1.0).write(1, x)
    session(a.read(5) + a.read(0), {x: 1.0})  # here


@program()
def sparse():
    x = tf.placeholder(tf.int64, [2, 2])
    s = tf.SparseTensor(x, [1.0, 2.0], [2, 2])
    y = tf.sparse_tensor_dense_matmul(s, tf.ones([2, 2]))  # here
    session(y, {x: [[0, 0], [1, 5]]})


@program("nan")
def python_function():
    x = tf.py_func(lambda v: np.float32(v) - 1.0, [tf.constant(1.0)], tf.float32)
    session(1.0 / x)  # here


@program()
def python_function_that_raises():
    def broken(v):
        raise ValueError(f"no good: {v}")

    session(tf.py_func(broken, [tf.constant(1.0)], tf.float32))  # here


@program()
def fed_by_a_dataset():
    data = tf.data.Dataset.range(5).map(lambda i: i * 2).batch(2)
    rows = data.make_one_shot_iterator().get_next()
    y = tf.gather([1.0, 2.0, 3.0], tf.cast(rows, tf.int32))  # here
    session(y, runs=3)


@program(place="function half")
def inside_of_a_map():
    def half(i):
        return tf.reshape(tf.range(i), [2, 2])  # here

    data = tf.data.Dataset.range(3, 6).map(half)
    session(data.make_one_shot_iterator().get_next())


@program()
def fed_by_a_queue():
    queue = tf.FIFOQueue(3, tf.int32, [])
    put = queue.enqueue_many([[1, 7, 2]])
    y = tf.gather([0, 1, 2], queue.dequeue())  # here
    with tf.Session() as sess:
        sess.run(put)
        for _ in range(2):
            sess.run(y)


@program(place="while/while[3]")
def python_in_a_loop():
    counter = iter(range(9))

    def body(i):
        j = tf.py_func(lambda: np.int32(next(counter)), [], tf.int32)
        return i + tf.gather([1, 1, 1], tf.reshape(j, []))  # here

    session(tf.while_loop(lambda i: i < 9, body, [0]))


@program("nan")
def sampled_candidates():
    tf.set_random_seed(3)
    true = tf.constant([[1], [2]], tf.int64)
    with tf.control_dependencies([tf.random_uniform([])]):
        learned = tf.nn.learned_unigram_candidate_sampler(true, 1, 2, False, 9)
    with tf.control_dependencies([learned[0]]):
        drawn = tf.random_uniform([3])
    none = tf.reduce_sum(tf.to_float(learned[0])) * 0.0
    session(tf.log(drawn - 9.0) + none, runs=2)  # here


@program()
def looked_up():
    lookup = tf.contrib.lookup
    keys = lookup.KeyValueTensorInitializer(["a", "b"], [1, 9])
    table = lookup.HashTable(keys, -1)
    found = tf.to_int32(table.lookup(tf.constant(["a", "b"])))
    session(tf.gather([0.0, 1.0], found))  # here


@program()
def read_from_a_file():
    name = os.path.join(os.environ["CAPSULE_FOLDER"], "data.bin")
    with open(name, "wb") as f:
        f.write(b"123456789")
    y = tf.decode_raw(tf.read_file(name), tf.float32)  # here
    session(y)
    os.unlink(name)


@program(place="function f")
def defined_function():
    @tfe.defun
    def f(x):
        return tf.gather(x, 3)  # here

    session(f(tf.constant([1.0, 2.0])) + 1.0)


@program("nan")
def other_dtypes():
    x = tf.placeholder(tf.bfloat16, [2])
    y = tf.placeholder(tf.bool, [2])
    z = tf.cast(x, tf.float64) / tf.cast(tf.cast(y, tf.int64), tf.float64)  # here
    session(z, {x: np.ones(2, tf.bfloat16.as_numpy_dtype), y: [True, False]})


@program("nan")
def own_gradient():
    @tf.custom_gradient
    def f(x):
        return x * 2.0, lambda dy: tf.log(dy - 1.0)  # here

    x = tf.placeholder(tf.float32, [2])
    session(tf.gradients(f(x), x), {x: [1.0, 2.0]})


@program(place="loop/while_context[3]")
def frames_of_older_loops():
    def body(i):
        return i + tf.gather([1, 1, 1], i)

    first = tf.Graph()
    with first.as_default():
        tf.while_loop(lambda i: i < 9, body, [0], name="loop")
        text = first.as_graph_def()
    tf.import_graph_def(text, name="")  # here
    session(tf.get_default_graph().get_tensor_by_name("loop/Exit:0"))


@program("nan")
def keras_in_a_graph():
    k = tf.keras
    model = k.Sequential([k.layers.Dense(3, input_shape=(2,)), k.layers.Dense(1)])
    model.compile("sgd", lambda y, p: tf.log(p - p - y))  # here
    model.fit(np.ones([8, 2]), np.ones([8, 1]), batch_size=4, epochs=1, verbose=0)


# ---------------------------------------------------------------------- eager
@program("nan", mode="eager")
def tape():
    w = tfe.Variable([1.0, 2.0])
    for _ in range(3):
        with tf.GradientTape() as t:
            loss = tf.reduce_sum(tf.sqrt(w - w) + tf.random_normal([2]))  # here
        w.assign_sub(t.gradient(loss, w))


@program(mode="eager")
def eager_shapes():
    x = tf.random_normal([2, 3]) + 1.0
    y = tf.matmul(x, x)  # here
    return y


@program(mode="eager")
def eager_reshape():
    x = tf.reshape(tf.range(6), [2, 3])
    with contextlib.suppress(tf.errors.InvalidArgumentError):
        tf.reshape(x, [4])
    return tf.reshape(x * 2, [5, -1])  # here


@program(mode="eager")
def eager_gather():
    x = tf.constant(["a", "b"])
    return tf.gather(x, [0, 1, 2])  # here


@program(mode="eager", place="function f")
def eager_function():
    v = tfe.Variable(1.0)

    @tfe.defun
    def f(x):
        v.assign_add(1.0)
        return tf.check_numerics(x / (v - 3.0), "in f")  # here

    f(tf.constant(1.0))
    f(tf.constant(2.0))


@program("nan", mode="eager", place="function f_gradient")
def gradient_of_a_function():
    v = tfe.Variable([0.0, 1.0])

    @tfe.defun
    def f(x):
        return tf.reduce_sum(tf.sqrt(v) * x)  # here

    with tf.GradientTape() as t:
        y = f(tf.constant(2.0))
    t.gradient(y, v)


@program(mode="eager", place="function f > while/while[2]")
def converted():
    @tf.function(autograph=True)
    def f(x, n):
        i = 0
        while i < n:
            x = x + tf.gather([1.0, 2.0], i)  # here
            i = i + 1
        return x

    f(tf.constant(0.0), tf.constant(5))


@program("nan", mode="eager", place="function train_function")
def keras_eagerly():
    k = tf.keras
    model = k.Sequential([k.layers.Dense(1, input_shape=(2,))])
    model.compile(tf.train.GradientDescentOptimizer(1e30), "mse")
    x, y = np.ones([8, 2]), np.ones([8, 1])
    model.fit(x, y, batch_size=4, epochs=2, verbose=0)  # here


@program(mode="eager")
def eager_assertion():
    x = tf.constant([1, 2]) * 2
    tf.assert_equal(x, tf.constant([2, 3]))  # here


@program(mode="eager", place="function f")
def iterator_in_a_function():
    rows = tf.data.Dataset.range(9).make_one_shot_iterator()

    @tfe.defun
    def f():
        return tf.gather([1, 2, 3], rows.get_next())  # here

    for _ in range(4):
        f()


@program(mode="eager")
def eager_dataset():
    for i in tf.data.Dataset.range(5):
        tf.gather([1.0, 2.0, 3.0], i)  # here


def run(name, folder):
    """Write the capsule of one program, and the fingerprint of what failed."""
    function, when, _, mode = PROGRAMS[name]
    marks = Fingerprints(when)
    inside = tf.Graph().as_default() if mode == "graph" else contextlib.nullcontext()
    path = os.path.join(folder, f"{name}.capsule")
    with inside, tf.debugger.capsule(path, when), watched_by(marks):
        try:
            function()
        except Exception as error:
            if when != "error":
                raise
            print(name, type(error).__name__)
    with open(os.path.join(folder, f"{name}.json"), "w") as f:
        json.dump(marks.found, f)


if __name__ == "__main__":
    os.environ["CAPSULE_FOLDER"] = sys.argv[1]
    chosen = sys.argv[2:] or PROGRAMS
    for mode in ("graph", "eager"):
        if mode == "eager":
            tf.enable_eager_execution()
        for each in chosen:
            if PROGRAMS[each][3] == mode:
                try:
                    run(each, sys.argv[1])
                except Exception as error:
                    print("BROKEN", each, type(error).__name__, str(error)[:300])
