"""Programs with control flow, for TensorFlow 1.12 and for twinflow.

Usage: `PYTHON tests/graph/v1_cases.py make FOLDER` under Python 3.6 with TensorFlow
1.12 writes the golden graphs: one .npz a program, with the frozen GraphDef, the feeds
and what it gave. `PYTHON tests/graph/v1_cases.py run FILE ...` under any TensorFlow
runs such files, whoever wrote them, and fails if other values come out.
"""

import io
import os
import sys

import numpy as np

CASES = {}
ONLY_TENSORFLOW = {}


def case(function):
    CASES[function.__name__] = function
    return function


def golden_only(function):
    """A program that is written only by TensorFlow, and read by both."""
    ONLY_TENSORFLOW[function.__name__] = function
    return function


def values(*shape):
    """The same numbers every time."""
    return np.random.RandomState(sum(shape)).uniform(-1, 1, shape).astype(np.float32)


# ------------------------------------------------------------------------- branches
@case
def branch(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    p = tf.placeholder(tf.bool, [], name="p")
    y = tf.cond(p, lambda: x * values(3) + 1.0, lambda: tf.sin(x))
    a, b = tf.cond(p, lambda: (x, y), lambda: (y + 2.0, x), name="pair")
    return [y, a - b], [{"x": [1.0, 2.0, 3.0], "p": p} for p in (True, False)]


@case
def branches_in_branches(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    s = tf.reduce_sum(x)

    def last():
        return tf.constant([7.0, 8.0, 9.0]) + s

    def inner(k):
        def other():
            return tf.cond(x[0] > 0.0, lambda: x + k, last)

        return tf.cond(s > 2.0, lambda: x * k, other)

    y = tf.cond(x[1] > 0.0, lambda: inner(2.0) * 3.0, lambda: inner(-1.0))
    one = x[1] > 0.0
    same = tf.cond(
        one, lambda: tf.cond(one, lambda: x, lambda: -x), lambda: tf.zeros([3])
    )
    feeds = [1, 2, 3], [1, 0.1, 0.2], [-1, 0.1, 0.2], [1, -0.1, 0.2], [-1, -0.1, 0.2]
    return [y, same], [{"x": f} for f in feeds]


@case
def branches_on_one_predicate(tf):
    y = x = tf.placeholder(tf.float32, [2, 3], name="x")
    p = tf.placeholder_with_default(False, [], name="training")
    for _ in range(3):
        m, s = tf.cond(
            p,
            lambda: (tf.reduce_mean(y), tf.reduce_max(y)),
            lambda: (tf.constant(0.5), tf.constant(2.0)),
        )
        y = tf.tanh((y - m) / s)
        y = tf.cond(p, lambda: y * 2.0, lambda: tf.identity(y))
    x = np.arange(6.0).reshape(2, 3)
    return [y], [{"x": x}, {"x": x, "training": True}]


@case
def cases(tf):
    x = tf.placeholder(tf.int32, [], name="x")
    y = tf.case([(x < 0, lambda: -x), (x > 10, lambda: x // 2)], lambda: x + 1)
    pairs = {
        tf.equal(x, 3): lambda: tf.constant(1.5),
        x > 5: lambda: tf.constant(2.5),
    }
    z = tf.case(pairs, default=lambda: tf.constant(0.0), exclusive=True)
    return [y, z], [{"x": k} for k in (-4, 3, 7, 20)]


@case
def asserts(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    checks = [tf.Assert(tf.reduce_all(x > 0.0), ["bad", x]), tf.assert_less(x, 10.0)]
    with tf.control_dependencies(checks):
        y = tf.sqrt(x)
    return [y], [{"x": [1.0, 4.0]}, {"x": [9.0]}]


@case
def dropout(tf):
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    p = tf.placeholder(tf.bool, [], name="is_training")
    y = tf.nn.relu(tf.matmul(x, values(3, 4)))
    y = tf.cond(p, lambda: tf.nn.dropout(y, 0.5), lambda: tf.identity(y))
    return [tf.matmul(y, values(4, 2))], [{"x": values(2, 3), "is_training": False}]


# ------------------------------------------------------------------------- loops
@case
def loops(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    n = tf.placeholder(tf.int32, [], name="n")

    def body(i, y):
        y = tf.matmul(tf.reshape(y, [1, 2]), values(2, 2))
        return i + 1, tf.tanh(tf.reshape(y, [2]) + x)

    i, y = tf.while_loop(lambda i, y: i < n, body, [0, x])
    z = tf.while_loop(
        lambda z: tf.reduce_sum(z) < 100.0, lambda z: z * 2.0 + 1.0, [tf.abs(x)],
        name="until", maximum_iterations=5,
    )  # fmt: skip
    return [i, y, z], [{"x": [0.5, -1.0], "n": k} for k in (0, 1, 6)]


@case
def loops_in_loops(tf):
    n = tf.placeholder(tf.int32, [], name="n")
    x = tf.placeholder(tf.float32, [None], name="x")
    shapes = [tf.TensorShape([]), tf.TensorShape([None])]

    def outer(i, y):
        def inner(j, z):
            return j + 1, z * 0.5 + x + tf.to_float(i)

        j, z = tf.while_loop(lambda j, z: j <= i, inner, [0, y])
        return i + 1, z + tf.to_float(j)

    def longer(i, g):
        return i + 1, tf.concat([g, g[-1:] + 1.0], 0)

    i, y = tf.while_loop(lambda i, y: i < n, outer, [0, x], shapes)
    _, g = tf.while_loop(lambda i, g: i < n, longer, [0, x[:1]], shapes, name="grow")
    return [i, y, g], [{"x": [1.0, 2.0], "n": k} for k in (0, 1, 4)]


@case
def everything_nested(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    n = tf.placeholder(tf.int32, [], name="n")

    def go(i, y):
        near = i < n
        return tf.cond(i < 3, lambda: near, lambda: tf.logical_and(near, y[0] < 1e3))

    def body(i, y):
        def add_up():
            loop = lambda j, q: (j + 1, q + x)
            return tf.while_loop(lambda j, q: j < i, loop, [0, y])[1]

        def even():
            return tf.cond(i > 2, lambda: y - 1.0, add_up)

        return i + 1, tf.cond(tf.equal(i % 2, 1), lambda: y * x, even)

    y = tf.cond(n > 0, lambda: tf.while_loop(go, body, [0, x])[1], lambda: -x)
    return [y], [{"x": [2.0, -1.0], "n": k} for k in (-1, 1, 3, 6)]


@case
def folds(tf):
    x = tf.placeholder(tf.float32, [4, 2], name="x")
    pairs = tf.map_fn(
        lambda t: (t[0][0] + t[1], t[1] > 0.0), (x, x[:, 1]), (tf.float32, tf.bool)
    )
    return [
        tf.map_fn(lambda t: tf.reduce_sum(t) * t, x),
        tf.foldl(lambda s, t: s * 0.5 + t, x),
        tf.foldr(lambda s, t: tf.maximum(s, t), x, initializer=tf.zeros([2])),
        tf.scan(lambda s, t: s + t * t, x),
        *pairs,
        tf.map_fn(lambda t: tf.map_fn(lambda u: u + 1.0, t), x),
    ], [{"x": values(4, 2)}]


@case
def arrays(tf):
    n = tf.placeholder(tf.int32, [], name="n")
    ta = tf.TensorArray(tf.float32, 0, dynamic_size=True, clear_after_read=False)

    def body(i, ta):
        before = tf.cond(i > 0, lambda: ta.read(i - 1), lambda: tf.constant(1.0))
        return i + 1, ta.write(i, before * 1.5)

    _, ta = tf.while_loop(lambda i, _: i < n, body, [0, ta])
    return [ta.stack(), ta.size()], [{"n": 4}, {"n": 1}]


@case
def recurrent(tf):
    x = tf.placeholder(tf.float32, [2, 5, 3], name="x")
    n = tf.placeholder(tf.int32, [2], name="n")
    cell = tf.nn.rnn_cell.LSTMCell(4)
    out, state = tf.nn.dynamic_rnn(cell, x, n, dtype=tf.float32)
    feeds = [{"x": values(2, 5, 3), "n": k} for k in ([3, 5], [0, 1])]
    return [out, state.c, state.h], feeds


@golden_only
def recurrent_both_ways(tf):
    x = tf.placeholder(tf.float32, [None, None, 3], name="x")
    n = tf.placeholder(tf.int64, [None], name="n")
    make = tf.nn.rnn_cell
    cells = [make.MultiRNNCell([make.GRUCell(2), make.LSTMCell(3)]) for _ in range(2)]
    run = tf.nn.bidirectional_dynamic_rnn
    out, state = run(cells[0], cells[1], x, n, dtype=tf.float32)
    return [tf.concat(out, 2), state[0][0], state[1][1].h], [
        {"x": values(2, 4, 3), "n": [3, 4]}
    ]


# ------------------------------------------------------------------------- gradients
@case
def slope_of_branches(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    p = tf.placeholder(tf.bool, [], name="p")

    def other():
        return tf.cond(x[0] > 0.0, lambda: tf.sin(x), lambda: x * x)

    y = tf.cond(p, lambda: tf.exp(x) * x, other)
    feeds = [{"x": [1.0, 2.0, 3.0], "p": p} for p in (True, False)]
    return [y, *tf.gradients(y, x)], [*feeds, {"x": [-1.0, 2.0, 3.0], "p": False}]


@case
def slope_of_loops(tf):
    n = tf.placeholder(tf.int32, [], name="n")
    x = tf.placeholder(tf.float32, [2], name="x")

    def body(i, y):
        inner = lambda j, z: (j + 1, tf.sin(z) * x)
        z = tf.while_loop(lambda j, z: j <= i, inner, [0, y])[1]
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: z * x, lambda: z + x)

    y = tf.while_loop(lambda i, y: i < n, body, [0, x])[1]
    return [y, *tf.gradients(y, x)], [{"x": [0.5, -1.0], "n": k} for k in (0, 1, 4)]


@golden_only
def slope_of_maps(tf):
    x = tf.placeholder(tf.float32, [4, 2], name="x")
    y = tf.map_fn(lambda t: tf.reduce_sum(t) * t, x)
    z = tf.scan(lambda s, t: s * t + t, x)
    return [y, z, *tf.gradients([y, z], x)], [{"x": values(4, 2)}]


# ------------------------------------------------------------------------- functions
@golden_only
def function_branches(tf):
    from tensorflow.python.framework import function
    from tensorflow.python.ops import functional_ops

    x = tf.placeholder(tf.float32, [2], name="x")
    p = tf.placeholder(tf.bool, [], name="p")

    @function.Defun(tf.float32)
    def then(x):
        return x * 2.0, tf.reduce_sum(x)

    @function.Defun(tf.float32)
    def other(x):
        a, b = tf.split(x, 2)
        return tf.concat([b, a], 0), tf.constant(3.0)

    out = functional_ops.If(p, [x], then, other)
    return list(out), [{"x": [1.0, 2.0], "p": p} for p in (True, False)]


@golden_only
def function_loops(tf):
    from tensorflow.python.framework import function
    from tensorflow.python.ops import functional_ops

    x = tf.placeholder(tf.float32, [2], name="x")
    n = tf.placeholder(tf.int32, [], name="n")

    @function.Defun(tf.int32, tf.float32)
    def inner(i, y):
        return y + tf.to_float(i)

    @function.Defun(tf.int32, tf.int32, tf.float32)
    def go(i, n, y):
        return i < n

    @function.Defun(tf.int32, tf.int32, tf.float32)
    def body(i, n, y):
        return i + 1, n, inner(i, y) * 1.5

    i, _, y = functional_ops.While([tf.constant(0), n, x], go, body)
    return [i, y], [{"x": [1.0, 2.0], "n": k} for k in (0, 3)]


@golden_only
def function_calls(tf):
    x = tf.placeholder(tf.float32, [2], name="x")

    @tf.contrib.eager.defun
    def inner(a):
        return tf.exp(a), tf.cond(a[0] > 0.0, lambda: a + 1.0, lambda: a - 1.0)

    @tf.contrib.eager.defun
    def outer(a, b):
        u, v = inner(a * b)
        return u + v

    return [outer(x, x + 1.0)], [{"x": [1.0, 2.0]}, {"x": [-0.5, 2.0]}]


# ------------------------------------------------------------------------- Switches
def _switches(tf):
    """The module that has switch and merge."""
    if tf.__name__ == "twinflow":
        from twinflow.ops.arrays import switch

        return switch
    from tensorflow.python.ops import control_flow_ops

    return control_flow_ops


@case
def switch_and_merge(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    p = tf.placeholder(tf.bool, [], name="p")
    f, t = _switches(tf).switch(x, p)
    m, k = _switches(tf).merge([f * 2.0, tf.exp(t)])
    return [m, k], [{"x": [1.0, 2.0], "p": p} for p in (True, False)]


@case
def three_ways(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    p = tf.placeholder(tf.bool, [], name="p")
    q = tf.placeholder(tf.bool, [], name="q")
    f, t = _switches(tf).switch(x, p)
    ff, ft = _switches(tf).switch(f, q)
    m, k = _switches(tf).merge([ft + 1.0, t * 3.0, ff - 4.0])
    both = (True, False)
    return [m, k], [{"x": [1.0, 2.0], "p": p, "q": q} for p in both for q in both]


# ------------------------------------------------------------------------- training
def training(tf):
    """Written whole, with variables that are references: see `trained`."""
    p = tf.placeholder(tf.bool, [], name="p")
    x = tf.placeholder(tf.float32, [2, 3, 2], name="x")
    v = tf.get_variable("v", initializer=tf.constant([1.0, 2.0]))
    c = tf.get_variable("c", initializer=tf.constant(0), trainable=False)
    start = tf.cond(p, lambda: tf.assign_add(v, x[0, 0]), lambda: tf.identity(v))

    def body(i, y):
        with tf.control_dependencies([start, tf.assign_add(c, 2)]):
            return i + 1, y * v

    y = tf.while_loop(lambda i, y: i < 3, body, [0, start])[1]
    cell = tf.nn.rnn_cell.GRUCell(
        2, kernel_initializer=tf.constant_initializer(values(4, 4)[:, :2].ravel())
    )
    out, state = tf.nn.dynamic_rnn(cell, x + y, [3, 2], dtype=tf.float32)
    loss = tf.reduce_sum(out * out) + tf.reduce_sum(state)
    tf.identity(loss, name="out0")
    tf.identity(c, name="out1")
    tf.train.GradientDescentOptimizer(0.1).minimize(loss, name="step")
    tf.global_variables_initializer()


def trained(session, found, make=None):
    """Run `training` for some steps; the values that `found` gets or has."""
    session.run("init")
    for k in range(4):
        feed = {"x:0": values(2, 3, 2) + k, "p:0": k % 2 == 0}
        seen = [session.run("out0:0", feed), session.run("out1:0")]
        session.run("step", feed)
        for i, value in enumerate(seen):
            if make:
                found[f"value{k}_{i}"] = value
            else:
                np.testing.assert_allclose(value, found[f"value{k}_{i}"], 1e-5, 1e-6)


def built_training(tf):
    """What the file of `training` holds."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        training(tf)
        found = {}
        trained(session, found, make=True)
        text = graph.as_graph_def().SerializeToString()
        found["graph"] = np.frombuffer(text, np.uint8)
    return found


# ------------------------------------------------------------------------- files
def built(tf, function, freeze):
    """What a file holds: the GraphDef, the feeds, and the values.

    Args:
        tf: the module. function: the program.
        freeze: (session, GraphDef, names of outputs) -> GraphDef
    """
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.set_random_seed(1)
        outputs, feeds = function(tf)
        outputs = [tf.identity(o, name=f"out{i}") for i, o in enumerate(outputs)]
        session.run(tf.global_variables_initializer())
        found = {}
        for k, feed in enumerate(feeds):
            for name, value in feed.items():
                t = graph.get_tensor_by_name(name + ":0")
                array = np.asarray(value, t.dtype.as_numpy_dtype)
                found[f"feed{k}_{name}"] = array
            named = {n + ":0": v for n, v in feed.items()}
            for i, value in enumerate(session.run(outputs, named)):
                found[f"value{k}_{i}"] = value
        names = [o.op.name for o in outputs]
        frozen = freeze(session, graph.as_graph_def(), names)
        text = frozen.SerializeToString()
        found["graph"] = np.frombuffer(text, np.uint8)
    return found


def saved(found):
    """The bytes of a file."""
    out = io.BytesIO()
    np.savez_compressed(out, **found)
    return out.getvalue()


def check(tf, found, times=1):
    """Run a file's graph in a new session; see `run_all`."""
    definition = tf.GraphDef()
    definition.ParseFromString(found["graph"].tobytes())
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(definition, name="")
        run_all(session, found, times)


def run_all(session, found, times=1, prefix=""):
    """Compare what the outputs give for all feeds with what the file has."""
    names = sorted(n for n in found if n.startswith("value"))
    for name in names:
        k, i = name[5:].split("_")
        start = f"feed{k}_"
        feeds = [n for n in found if n.startswith(start)]
        feed = {prefix + n[len(start) :] + ":0": found[n] for n in feeds}
        for _ in range(times):
            value = session.run(f"{prefix}out{i}:0", feed)
        np.testing.assert_allclose(value, found[name], 1e-5, 1e-6, err_msg=name)


def main(command, paths):
    try:
        import tensorflow.compat.v1 as tf

        tf.disable_v2_behavior()
    except (ImportError, AttributeError):
        import tensorflow as tf
    if command == "run":
        for path in paths:
            with np.load(path) as file:
                check(tf, {name: file[name] for name in file.files})
        return
    from tensorflow.python.framework import graph_util

    freeze = graph_util.convert_variables_to_constants
    with open(os.path.join(paths[0], "training.npz"), "wb") as file:
        file.write(saved(built_training(tf)))
    for name, function in sorted(dict(CASES, **ONLY_TENSORFLOW).items()):
        with open(os.path.join(paths[0], name + ".npz"), "wb") as file:
            file.write(saved(built(tf, function, freeze)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
