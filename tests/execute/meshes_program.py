"""Towers as one program of several played devices; run by test_meshes.py.

The argument is the number of devices. Each model trains on one device with the whole
batch, in clusters of each device, and as one program: the numbers have to agree.
"""

import contextlib
import os
import sys
import threading

import numpy as np

import twinflow as tf
from twinflow.execute import session as sessions
from twinflow.execute import side_by_side, tiers
from twinflow.execute.call import plans_of
from twinflow.execute.session import Session

COUNT = int(sys.argv[1])
ROWS, STEPS = 8 * COUNT, 20
rng = np.random.RandomState(0)
X, Y = rng.rand(ROWS, 6).astype("f"), rng.rand(ROWS, 1).astype("f")
WORDS = rng.randint(0, 5, (ROWS, 3))
start = lambda *shape: tf.constant_initializer(rng.__class__(3).randn(*shape) * 0.3)


def dense(x, y, words):
    h = tf.layers.dense(x, 5, tf.tanh, kernel_initializer=start(6, 5))
    p = tf.layers.dense(h, 1, kernel_initializer=start(5, 1), name="last")
    return tf.reduce_mean(tf.square(p - y))


def embedded(x, y, words):
    table = tf.get_variable("table", [5, 4], initializer=start(5, 4))
    h = tf.reduce_sum(tf.nn.embedding_lookup(table, words), 1)
    return tf.reduce_mean(tf.square(tf.reduce_sum(h, 1, keepdims=True) - y))


def looped(x, y, words):
    w = tf.get_variable("w", [6, 6], initializer=start(6, 6))
    h = tf.while_loop(lambda i, _: i < 3, lambda i, h: (i + 1, tf.tanh(h @ w)), (0, x))
    h = tf.cond(h[1][0, 0] > 0, lambda: h[1] * 1.5, lambda: h[1] * 1.5)
    return tf.reduce_mean(tf.square(tf.reduce_sum(h, 1, keepdims=True) - y))


def called(x, y, words):
    w = tf.get_variable("w", [6, 1], initializer=start(6, 1))

    @tf.contrib.eager.defun
    def f(x):
        return tf.tanh(x @ w) * 2.0

    return tf.reduce_mean(tf.square(f(x) - y))


def dropped(x, y, words):
    h = tf.layers.dense(x, 5, tf.tanh, kernel_initializer=start(6, 5))
    h = tf.nn.dropout(tf.nn.dropout(h, 0.9), 0.9)
    h = tf.nn.dropout(h, 0.9, seed=4)
    return tf.reduce_mean(tf.square(tf.reduce_sum(h, 1, keepdims=True) - y))


def normed(x, y, words):
    h = tf.layers.dense(x, 5, kernel_initializer=start(6, 5))
    h = tf.layers.batch_normalization(h, training=True)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)[-2:]):
        p = tf.reduce_sum(tf.tanh(h), 1, keepdims=True)
    return tf.reduce_mean(tf.square(p - y))


def decayed(step):
    rate = tf.train.exponential_decay(0.02, step, 3, 0.9)
    return tf.train.MomentumOptimizer(rate, 0.9)


OPTIMIZERS = {
    "sgd": lambda step: tf.train.GradientDescentOptimizer(0.1),
    "adam": lambda step: tf.train.AdamOptimizer(0.01),
    "decayed": decayed,
}
MODELS = [(dense, "adam"), (dropped, "decayed"), (embedded, "sgd")]
if COUNT == 2:
    MODELS += [(looped, "sgd"), (called, "sgd"), (normed, "sgd")]


def clusters(session):
    return [c for p in session._plans.values() for c in p.clusters]


def meshes(session):
    """The clusters of several devices, those that initialise left out."""
    found = [c for c in clusters(session) if c.spec.mesh is not None]
    return [c for c in found if any(i.kind != "row" for i in c.spec.mesh.items)]


def trained(model, optimizer, devices):
    """Losses, variables, and the session's clusters of several devices."""
    strategy = tf.contrib.distribute.MirroredStrategy(devices=devices)
    with tf.Graph().as_default(), strategy.scope():
        tf.set_random_seed(5)
        data = tf.data.Dataset.from_tensor_slices((X, Y, WORDS)).repeat()
        batches = data.batch(ROWS // len(devices))
        iterator = strategy.distribute_dataset(lambda: batches).make_one_shot_iterator()
        step = tf.train.get_or_create_global_step()

        def tower(x, y, words):
            loss = model(x, y, words)
            scaled = loss / 1.0
            return loss, OPTIMIZERS[optimizer](step).minimize(scaled, step)

        losses, train = strategy.call_for_each_tower(tower, *iterator.get_next())
        loss = strategy.reduce(tf.VariableAggregation.MEAN, losses, "/cpu:0")
        loss, train = strategy.unwrap(loss)[0], strategy.group(train)
        copies = [v for u in tf.global_variables() for v in strategy.unwrap(u)]
        with Session() as session:
            session.run(tf.global_variables_initializer())
            found = [session.run([loss, train])[0] for _ in range(STEPS)]
            return found, session.run(copies), meshes(session)


@contextlib.contextmanager
def interpreted():
    """A block whose sessions compile nothing: towers run side by side in threads."""
    sessions.POLICY, side_by_side._WORTH = tiers.INTERPRET, 0.0
    try:
        yield
    finally:
        sessions.POLICY = tiers.POLICY


def check(model, optimizer):
    names = [f"/gpu:{i}" for i in range(COUNT)]
    losses, copies, (mesh,) = trained(model, optimizer, names)
    (entry,) = mesh.entries.values()
    assert entry.state == "chosen", (model.__name__, entry.state, entry.error)
    assert "all_reduce" in entry.executable.as_text()
    assert len(mesh.spec.mesh.places) == COUNT
    with interpreted():
        apart, others, none = trained(model, optimizer, names)
    assert not none
    np.testing.assert_allclose(losses, apart, rtol=1e-6, atol=1e-6)
    for a, b in zip(copies, others, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-6, atol=1e-6)
    if model in (dropped, normed):  # which depend on how the batch is cut
        return
    with interpreted():
        one, _, _ = trained(model, optimizer, ["/cpu:0"])
    np.testing.assert_allclose(losses, one, rtol=1e-6, atol=1e-6)


for model, optimizer in MODELS:
    check(model, optimizer)


# ------------------------------------------------------- variables of several towers
def by_hand(where, devices):
    """As programs of 2017: variables in one place, towers, gradients averaged."""
    with tf.Graph().as_default():
        x, losses, slopes = tf.placeholder(tf.float32, [None, 6]), [], []
        rate = tf.placeholder(tf.float32, [])
        optimizer = tf.train.MomentumOptimizer(rate, 0.9)
        for i, part in enumerate(tf.split(x, len(devices))):
            with tf.device(devices[i]), tf.variable_scope("m", reuse=i > 0 or None):
                with tf.device(where):
                    w = tf.get_variable("w", [6, 3], initializer=start(6, 3))
                losses.append(tf.reduce_mean(tf.square(tf.tanh(part @ w) - 0.5)))
                slopes.append(optimizer.compute_gradients(losses[-1]))
        mean = []
        for pairs in zip(*slopes, strict=True):
            each = tf.concat([tf.expand_dims(g, 0) for g, _ in pairs], 0)
            mean.append((tf.reduce_mean(each, 0), pairs[0][1]))
        with tf.device(where):
            train = optimizer.apply_gradients(mean)
        loss = tf.add_n(losses) / len(devices)
        with Session() as session:
            session.run(tf.global_variables_initializer())
            feeds = {x: X, rate: 0.1}
            found = [session.run([loss, train], feeds)[0] for _ in range(STEPS)]
            for uneven in (X[: 4 * COUNT], X):  # another shape is another program
                found.append(session.run(loss, {x: uneven}))
            return found, session.run(w), meshes(session)


names = [f"/gpu:{i}" for i in range(COUNT)]
one, own, _ = by_hand("/cpu:0", ["/cpu:0"])
for where in ("/gpu:0", "/cpu:0"):
    losses, w, found = by_hand(where, names)
    assert found, where
    np.testing.assert_allclose(losses, one, rtol=2e-6)
    np.testing.assert_allclose(w, own, rtol=1e-5, atol=1e-6)

threads = [t.name for t in threading.enumerate() if "twinflow-device" in t.name]
assert len(threads) >= COUNT - 1, threads


# ------------------------------------------------------- guards, shapes, held values
def guarded():
    """A run whose ops refuse some values, on each device in turn."""
    x = [tf.placeholder(tf.int32, [None]) for _ in names]
    copies, reads, steps = [], [], []
    for i, name in enumerate(names):
        with tf.device(name):
            v = tf.get_variable(f"v{i}", initializer=np.arange(4.0), use_resource=True)
            copies.append(v)
            reads.append(tf.gather(v.read_value() * 2.0, x[i]))
            with tf.control_dependencies([reads[-1]]):
                steps.append(v.assign_add(tf.ones([4], tf.float64)))
    total = tf.add_n([tf.reduce_sum(r) for r in reads])
    session = Session()
    session.run(tf.global_variables_initializer())
    feeds = {p: [0, 1] for p in x}
    before = session.run(copies)
    kept = [b.copy() for b in before]
    for i in range(4):
        assert session.run([total, *steps], feeds)[0] == COUNT * (2.0 + 4.0 * i)
    np.testing.assert_array_equal(before, kept)  # nothing was written over
    one = bool(meshes(session))
    assert one == (sessions.POLICY is not tiers.INTERPRET)
    for wrong in (0, COUNT - 1):
        try:
            session.run([total, *steps], {**feeds, x[wrong]: [0, 9]})
        except tf.errors.InvalidArgumentError as error:
            assert "indices[1] = 9 is not in [0, 4)" in str(error), error
        else:
            raise AssertionError("a guard of one device was not heard")
    for uneven in range(3, 8):  # towers whose shapes differ, then their own programs
        session.run([total, *steps], {**feeds, x[0]: [0] * uneven})
    values = session.run(copies)
    if one:  # program, which fails as a whole
        assert all(np.array_equal(v, values[0]) for v in values[1:]), values
    sums = sum(2.0 * (v[0] + v[1]) for v in values)
    assert session.run(total, feeds) == sums


for block in (contextlib.nullcontext, interpreted):
    with tf.Graph().as_default(), block():
        guarded()

# ------------------------------------------------------- functions
tf.enable_eager_execution()
tfe = tf.contrib.eager
copies = []
for name in names:
    with tf.device(name):
        copies.append(tfe.Variable(np.full(3, 2.0, "f")))


@tfe.defun
def step(x):
    sums = []
    for i, name in enumerate(names):
        with tf.device(name):
            sums.append(tf.reduce_sum(copies[i] * x[i] * x[i]))
    with tf.device(names[0]):
        total = tf.add_n(sums)
    for name, copy in zip(names, copies, strict=True):
        with tf.device(name):
            copy.assign_sub(tf.fill([3], total) * 0.01)
    return total


given = tf.constant(np.ones((COUNT, 3), "f"))
want = np.full(3, 2.0)
for _ in range(6):
    held = [c.value() for c in copies]
    old = [h.numpy().copy() for h in held]
    got = step(given)
    np.testing.assert_allclose(float(got), want.sum() * COUNT, rtol=1e-5)
    want = want - 0.01 * want.sum() * COUNT
    for copy, h, o in zip(copies, held, old, strict=True):
        np.testing.assert_allclose(copy.numpy(), want, rtol=1e-5)
        np.testing.assert_array_equal(h.numpy(), o)
(trace,) = step.traces.values()
(plan,) = plans_of(trace.graph)
assert any(c.spec.mesh is not None for c in plan.clusters)
print("ok", os.environ["TWINFLOW_COMPILE"])
