"""Functions and graphs on accelerators, the first and the last; run by test_places.py.

The argument says when clusters are compiled, as TWINFLOW_COMPILE does.
"""

import contextlib
import io
import sys
import threading

import numpy as np

import twinflow as tf
from twinflow.base import devices
from twinflow.execute.call import plans_of

LAST = devices.num_gpus() - 1
CPU, GPU, OTHER = devices.CPU, devices.name_of(0), devices.name_of(LAST)
SECOND = f"/gpu:{LAST}"
WAIT = sys.argv[1] == "wait"
STEPS = 6
rng = np.random.RandomState(0)
ROWS, KERNEL = rng.rand(16, 64).astype("f"), rng.rand(64, 32).astype("f")


def places(plan):
    """(place, whether asked for, engine) of each cluster, on each of its places."""
    return [
        (place, c.spec.asked, [e.state for e in c.entries.values()])
        for c in plan.clusters
        for place in (c.spec.mesh.places if c.spec.mesh else [c.spec.place])
    ]


# ------------------------------------------------------------------ graphs
def trained(where, names=("/cpu:0", ""), **config):
    """Losses and variables of a model in two towers, and the session's plans."""
    with tf.Graph().as_default():
        tf.set_random_seed(3)
        x = tf.placeholder(tf.float32, [None, 8])
        optimizer, losses, slopes = tf.train.AdamOptimizer(0.01), [], []
        for i, part in enumerate(tf.split(x, 2)):
            with tf.device(where[i]), tf.variable_scope("m", reuse=i > 0 or None):
                h = tf.layers.dense(part, 16, tf.nn.tanh, name="a")
                h = tf.layers.dropout(h, 0.3, training=True)
                p = tf.layers.dense(h, 1, name="b")
                losses.append(tf.reduce_mean(tf.square(p - tf.reduce_sum(part, 1))))
                slopes.append(optimizer.compute_gradients(losses[i]))
        with tf.device(names[0]):
            mean = [(a + b) / 2.0 for (a, _), (b, _) in zip(*slopes)]
            train = optimizer.apply_gradients(zip(mean, [v for _, v in slopes[0]]))
            loss = tf.add_n(losses) / 2.0
            text = tf.string_join(["loss ", tf.as_string(loss)])
        with tf.Session(config=tf.ConfigProto(**config)) as session:
            session.run(tf.global_variables_initializer())
            found = []
            for step in range(STEPS):
                rows = np.random.RandomState(step).rand(32, 8)
                value, said, _ = session.run([loss, text, train], {x: rows})
                assert isinstance(value, np.float32 | np.ndarray)
                assert float(said[5:]) == round(float(value), 6) or said
                found.append(value)
            variables = session.run(tf.trainable_variables())
            last = list(session._plans.values())[-2:-1]  # of the training
        return found, variables, last


one, own, _ = trained(["/cpu:0", "/cpu:0"])
for where in (["/gpu:0", SECOND], [SECOND, SECOND], ["", ""], ["/gpu:0", ""]):
    losses, variables, plans = trained(where)
    np.testing.assert_allclose(losses, one, rtol=1e-5)
    for a, b in zip(variables, own):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)
    asked = {int(name[-1]) for name in where if name}
    homes = [(p, a) for plan in plans for p, a, _ in places(plan)]
    assert asked <= {p for p, a in homes if a}, (where, homes)
    assert (None, False) in homes, homes  # the sums, which ask for the CPU
    if WAIT:
        states = [s for plan in plans for _, _, found in places(plan) for s in found]
        assert set(states) == {"chosen"}, states

# A GPU that the configuration takes away, and one that never was there.
_, _, plans = trained(["", ""], device_count={"GPU": 0})
assert {p for plan in plans for p, _, _ in places(plan)} == {None}
for config in ({"device_count": {"GPU": 1}}, {}):
    try:
        trained(["/gpu:0", "/gpu:1" if config else "/gpu:7"], **config)
    except tf.errors.InvalidArgumentError as error:
        assert "Cannot assign a device for operation" in str(error)
    else:
        raise AssertionError("a device that is not there was taken")
trained(["/gpu:0", "/gpu:7"], allow_soft_placement=True)
told = io.StringIO()
with contextlib.redirect_stderr(told):
    trained([SECOND, ""], log_device_placement=True)
assert OTHER in told.getvalue() and GPU in told.getvalue() and CPU in told.getvalue()

# Loops and branches whose bodies ask; values that go from one device to the next.
with tf.Graph().as_default(), tf.Session() as session:
    x = tf.placeholder(tf.float32, [None])

    def body(i, total):
        with tf.device(SECOND):
            return i + 1, total * 2.0 + x

    looped = tf.while_loop(lambda i, _: i < 5, body, [0, x])[1]
    with tf.device("/gpu:0"):
        chosen = tf.cond(x[0] > 0, lambda: looped + 1.0, lambda: looped - 1.0)
    for _ in range(3):
        value = session.run(chosen, {x: [1.0, -1.0]})
        np.testing.assert_array_equal(value, [64.0, -62.0])
    (plan,) = session._plans.values()
    assert {p for p, _, _ in places(plan)} >= {0, LAST}

# What is only read goes to its device once.
with tf.Graph().as_default(), tf.Session() as session:
    with tf.device("/gpu:0"):
        wide = np.tile(KERNEL, 16)  # as much as is copied ahead
        frozen = tf.get_variable("frozen", initializer=wide, use_resource=True)
        x = tf.placeholder(tf.float32, [None, 64])
        product = tf.matmul(x, frozen)
    session.run(tf.global_variables_initializer())
    cell = session._home(frozen._cell)
    buffers = []
    for _ in range(4):
        np.testing.assert_allclose(session.run(product, {x: ROWS}), ROWS @ wide, 1e-5)
        buffers.append(cell.device_value)
    if WAIT:
        assert buffers[0] is not None and buffers[0] is buffers[-1]

# ------------------------------------------------------------------ functions
tf.enable_eager_execution()
tfe = tf.contrib.eager


def stepper(device):
    """A training step with its variables on a device, and the variables."""
    with tf.device(device):
        kernel, bias = tfe.Variable(KERNEL), tfe.Variable(np.zeros(32, "f"))
    optimizer = tf.train.MomentumOptimizer(0.1, 0.9)

    @tfe.defun
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.nn.relu(x @ kernel + bias) - 1.0))
        found = [kernel, bias]
        optimizer.apply_gradients(zip(tape.gradient(loss, found), found))
        return loss

    return step, kernel


here, kernel = stepper("/cpu:0")
there, moved = stepper(SECOND)
for _ in range(STEPS):
    before = moved.value()
    copied = before.numpy().copy()
    a, b = here(ROWS), there(ROWS)
    np.testing.assert_allclose(float(a), float(b), rtol=1e-5)
    assert (a.device, b.device, moved.device) == (CPU, OTHER, OTHER)
    np.testing.assert_array_equal(before.numpy(), copied)  # was not written over
np.testing.assert_allclose(kernel.numpy(), moved.numpy(), rtol=1e-5)


@tfe.defun
def energy(x):
    return tf.reduce_sum(tf.square(tf.matmul(x, kernel)))


rows = tf.constant(ROWS)
with tf.GradientTape() as tape:
    tape.watch(rows)
    wanted = energy(rows)
slope = tape.gradient(wanted, rows)
for _ in range(3):  # where its inputs are
    x = rows.gpu()
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = energy(x)
    (dx,) = tape.gradient(found, [x])
    assert (found.device, dx.device) == (GPU, GPU)
    np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-5)
    np.testing.assert_allclose(dx.numpy(), slope.numpy(), rtol=1e-5)
with tf.device(SECOND):
    assert energy(rows).device == OTHER
with tf.device("/cpu:0"):
    assert energy(rows).device == CPU
asked = [found for plan in plans_of(next(iter(energy.traces.values())).graph)
         for found in places(plan)]  # fmt: skip
assert {p for p, a, _ in asked if a} == {0, LAST}
if WAIT:
    assert {s for _, a, states in asked if a for s in states} == {"chosen"}


# Host steps within; what nobody asked for comes back to the host.
@tfe.defun
def described(x):
    with tf.device("/gpu:0"):
        y = x * 2.0
    return y, tf.py_func(lambda a: a.sum(), [y], tf.float32)


for _ in range(3):
    y, total = described(rows)
    np.testing.assert_allclose(total.numpy(), 2 * ROWS.sum(), rtol=1e-5)
    np.testing.assert_allclose(y.numpy(), 2 * ROWS)


# Threads that read what another one trains.
with tf.device("/gpu:0"):
    shared = tfe.Variable(np.zeros(20_000, "f"))
failed = []


@tfe.defun
def grow():
    shared.assign_add(tf.ones([20_000]))


def repeat(call, count):
    try:
        for _ in range(count):
            call()
    except Exception as error:
        failed.append(error)


threads = [
    threading.Thread(target=repeat, args=(grow, 50)),
    threading.Thread(target=repeat, args=(lambda: float(shared.value()[0]), 100)),
    threading.Thread(target=repeat, args=(shared.numpy, 100)),
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(120)
assert not failed, failed
assert shared.numpy()[0] == 50
print("ok")
