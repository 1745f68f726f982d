"""What processes give each other, eagerly and in graphs; run by test_processes.py.

The argument: "values", "late" (the last process does not come), "dies" or "differ".
"""

import json
import os
import sys
import time

import numpy as np

import twinflow as tf
from twinflow.distribute import environment
from twinflow.ops.math.process_values import (
    process_broadcast,
    process_gather,
    process_reduce,
)

group = environment.join(environment.place_now())
RANK, SIZE = group.rank, group.size
KINDS = ["float16", "bfloat16", "float32", "float64", "int32", "int64", "uint8"]


def drawn(rank):
    """The arrays of a process, of every kind."""
    rng = np.random.RandomState(rank)
    kinds = [tf.as_dtype(k).as_numpy_dtype for k in KINDS]
    return [(4 * rng.rand(3, rank % 1 + 2)).astype(k) for k in kinds]


def values():
    every = [drawn(r) for r in range(SIZE)]
    for merge, of in {"sum": np.add, "prod": np.multiply, "min": np.minimum,
                      "max": np.maximum}.items():  # fmt: skip
        for found, *given in zip(group.all_reduce(drawn(RANK), merge), *every):
            wide = np.float32 if found.dtype.itemsize == 2 else found.dtype
            total = given[0].astype(wide)
            for more in given[1:]:
                total = of(total, more.astype(wide))
            assert found.dtype == given[0].dtype and found.shape == given[0].shape
            close = dict(rtol=1e-6) if found.dtype.itemsize > 2 else dict(rtol=1e-2)
            np.testing.assert_allclose(
                found.astype("d"), total.astype(found.dtype).astype("d"), **close
            )
    (z,) = group.all_reduce([np.array([1j * RANK, 1.0], "c8")])
    assert z.tolist() == [1j * sum(range(SIZE)), SIZE]
    (yes,), (no,) = (
        group.all_reduce([np.array([RANK == 0])], m) for m in ("max", "min")
    )
    assert yes.dtype == bool and yes[0] and not no[0]
    odd = np.array([-0.0, np.nan, np.inf, 5e-324 * RANK])
    (sent,) = group.broadcast([odd], root=SIZE - 1)
    assert (
        sent.tobytes()
        == np.array([-0.0, np.nan, np.inf, 5e-324 * (SIZE - 1)]).tobytes()
    )
    rows = group.all_gather(np.full((RANK, 2), RANK, "i1"))
    assert [r.tolist() for r in rows] == [[[r, r]] * r for r in range(SIZE)]
    assert [r.shape for r in group.all_gather(np.zeros([]))] == [()] * SIZE
    digest = np.concatenate(
        [a.astype("d").ravel() for a in group.all_reduce(drawn(RANK))]
    )
    assert len({r.tobytes() for r in group.all_gather(digest)}) == 1  # the same bits


def slopes(x, z):
    """The values of every op, and their gradients."""
    with tf.GradientTape() as tape:
        tape.watch([x, z])
        a, b = process_reduce([x * x, x + 1.0])
        rows = process_gather(z)
        (c,) = process_broadcast([x], 1)
        weights = tf.cast(tf.range(tf.shape(rows)[0]), tf.float32)[:, tf.newaxis]
        loss = tf.reduce_sum(a * b) + tf.reduce_sum(rows * weights) + tf.reduce_sum(c)
    return [a, b, rows, c, *tape.gradient(loss, [x, z])]


def wanted(x, z):
    a = sum((r + 1) ** 2 for r in range(SIZE)) * x[0] ** 2
    b = sum(r + 1 for r in range(SIZE)) * x[0] + SIZE
    rows = np.ones((sum(range(1, SIZE + 1)), 2))
    own = x[0] * (RANK + 1)
    first = sum(range(1, RANK + 1))
    dz = SIZE * np.arange(first, first + RANK + 1)[:, None] * np.ones((1, 2))
    return [a, b, rows, 2 * x[0], SIZE * (2 * own * b + a) + (RANK == 1) * SIZE, dz]


def ops():
    first = np.array([1.0, 2.0], "f")
    x, z = first * (RANK + 1), np.ones((RANK + 1, 2), "f")
    with tf.Graph().as_default(), tf.Session() as session:
        fed = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.float32, [None, 2])
        made = slopes(*fed)
        ways = [session.run(made, dict(zip(fed, (x, z)))) for _ in range(4)]
    tf.enable_eager_execution()
    as_function = tf.contrib.eager.defun(slopes)
    for call in (slopes, *[as_function] * 4):
        ways.append([t.numpy() for t in call(tf.constant(x), tf.constant(z))])
    for found in ways:
        for f, w in zip(found, wanted([first], z)):
            np.testing.assert_allclose(f, w, rtol=1e-6)


def broken(leave):
    begun = time.monotonic()
    if RANK == SIZE - 1:
        leave()
    for _ in range(2):  # what comes later raises the same
        try:
            group.barrier()
        except tf.errors.OpError as error:
            said = f"{type(error).__name__}: {error}"
    assert time.monotonic() - begun < 60
    return said


def differing():
    """What is said where the processes come to different collectives."""
    three, four = np.zeros(3, "f"), np.zeros(4, "f")
    calls = [
        (lambda: group.all_reduce([three]), lambda: group.all_gather(three)),
        (lambda: group.all_reduce([three]), lambda: group.all_reduce([four])),
        (lambda: group.all_reduce([three, four]), lambda: group.all_reduce([three])),
        (lambda: group.all_reduce([three]), lambda: group.all_reduce([three], "max")),
        (lambda: group.all_gather(np.zeros((2, 3), "f")),
         lambda: group.all_gather(np.zeros((1, 4), "f"))),
        (lambda: group.broadcast([three], 0), lambda: group.broadcast([three], 1)),
        (lambda: group.all_reduce([three, four], names=["a", "b"]),
         lambda: group.all_reduce([three, four], names=["a", "c"])),
        (lambda: group.all_reduce([np.zeros(1 << 19, "f")]),
         lambda: group.all_reduce([np.zeros(3, "d")])),
    ]  # fmt: skip
    said = []
    for both in calls:
        try:
            both[RANK == SIZE - 1]()
        except tf.errors.FailedPreconditionError as error:
            said.append(str(error))
    assert group.all_reduce([three + 1])[0].tolist() == [SIZE] * 3  # still in step
    with tf.Graph().as_default(), tf.Session() as session:
        given = process_reduce([tf.zeros([RANK + 1])])
        try:
            session.run(given)
        except tf.errors.FailedPreconditionError as error:
            said.append(str(error))
    return said


if sys.argv[1] == "values":
    values()
    ops()
    found = "fine"
elif sys.argv[1] == "differ":
    os.environ["TWINFLOW_COLLECTIVE_SECONDS"] = "20"
    found = differing()
elif sys.argv[1] == "late":
    os.environ["TWINFLOW_COLLECTIVE_SECONDS"] = "2"
    found = broken(lambda: (time.sleep(8), sys.exit()))
else:
    found = broken(lambda: os._exit(9))
print(json.dumps(found), flush=True)
