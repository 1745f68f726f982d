"""One program gives the same numbers in every engine, at special values too.

docs/numbers.md lists what may differ: ULPS and ABSOLUTE of special_programs hold it.
"""

import itertools

import numpy as np
import pytest
from hypothesis import settings

import twinflow as tf
from tests import ways
from tests.support import special_programs as programs
from tests.support.special_values import (
    FLOATS,
    INTEGERS,
    Batch,
    eagerly,
    faults,
    flushed,
    without_denormals,
)
from twinflow.base.dispatch import apply
from twinflow.execute.tiers import INTERPRET
from twinflow.lower.lowering import NeedsValue

MANY = settings().max_examples > 1000  # the profile of `make fuzz`

KNOWN = (0.0, -0.0, 1.0, np.inf) if MANY else (0.0, 1.0)

pytestmark = pytest.mark.hypothesis  # what `make fuzz` runs


def check(chosen):
    """Run programs in each engine and compare."""
    chosen = list(chosen)
    batch = Batch(chosen)
    plain, _ = batch.run(False, INTERPRET)
    passed, _ = batch.run(True, INTERPRET)
    with flushed():  # XLA's threads take denormals for zeros, as TensorFlow's do
        zeros, _ = batch.run(True, INTERPRET, [*map(without_denormals, batch.feeds)])
    compiled = batch.compiled()
    wrong = []
    for p, (start, middle, stop) in zip(chosen, batch.slices, strict=True):
        for i, eager in enumerate(eagerly(p), start):
            wrong += _described(p, "eager", plain[i], eager, faults(eager, [plain[i]]))
        for i in range(start, stop):
            wrong += _described(
                p, "passes", plain[i], passed[i], faults(passed[i], [plain[i]])
            )
            found = without_denormals(compiled[i], 4)  # half of a tiny number is 0
            wanted = [without_denormals(a[i], 4) for a in (plain, zeros)]
            bad = faults(found, wanted, p.ulps, p.near)
            label = "compiled" if i < middle else f"compiled slope {i - middle}"
            wrong += _described(p, label, plain[i], compiled[i], bad)
    assert not wrong, "\n".join(wrong)


def _described(p, label, a, b, bad):
    if not len(bad):
        return []
    at = [np.ravel(x)[bad[:4]].tolist() for x in p.arrays if x.size == a.size]
    a, b = (np.ravel(v)[bad[:4]].tolist() for v in (a, b))
    return [f"{p.name} {label}: {len(bad)} differ, at {at}: {a} is {b}"]


@pytest.mark.parametrize("dtype", FLOATS + INTEGERS)
def test_elementwise_ops(dtype):
    left_out = programs.SUMS
    if dtype in FLOATS[2:] and not MANY:  # computed in float32, and slow to compile
        left_out = left_out | set(programs.ULPS)
    check(programs.elementwise(dtype, lambda name: name not in left_out))


@pytest.mark.parametrize("dtype", FLOATS[: 2 if MANY else 1])
def test_ops_of_values_just_assigned(dtype):
    """The compiler knows them, but only after its first passes over constants."""
    wrong, ops = [], list(programs.elementwise_ops(dtype))
    for start in range(0, len(ops), 16):  # larger clusters are not fused
        wrong += _differ_where_assigned(ops[start : start + 16], np.dtype(dtype))
    assert not wrong, "\n".join(wrong)


def _differ_where_assigned(ops, kind):
    wanted, outputs, facts = [], [], []
    with tf.Graph().as_default(), ways.compiled(NeedsValue), tf.Session() as session:

        def assigned(value):  # each of its own, so that it is fused with what reads it
            cell = tf.Variable(tf.zeros([3], kind), use_resource=True)
            with tf.control_dependencies([cell.assign(value)]):
                return tf.multiply(cell.read_value(), 1)

        for op, ulps, near in ops:
            for values in itertools.product(KNOWN, repeat=len(op.sig.inputs)):
                plain = [np.full(3, v, kind) for v in values]
                for places in ({0, 1}, {0}, {1})[: 2 * len(plain) - 1]:
                    inputs = [
                        assigned(v) if i in places else v for i, v in enumerate(plain)
                    ]
                    outputs.append(apply(op, inputs, dict(op.sig.attrs)))
                    facts.append((f"{op.type}{values}", ulps, near))
                    with ways.eager():
                        wanted.append(apply(op, plain, dict(op.sig.attrs)).numpy())
        session.run(tf.global_variables_initializer())
        for _ in range(2):
            found = session.run(outputs)
    for (name, ulps, near), a, b in zip(facts, wanted, found, strict=True):
        if len(faults(b, [a], ulps, near)):
            yield f"{name}: {a} is {b}"


@pytest.mark.parametrize("dtype", FLOATS + (INTEGERS if MANY else INTEGERS[:4]))
def test_ops_along_axes(dtype):
    check(programs.along_axes(dtype))


@pytest.mark.parametrize("dtype", FLOATS if MANY else FLOATS[:2])
@pytest.mark.parametrize("length", [2, 3])
def test_chains(dtype, length):
    check(programs.chains(dtype, length, 3000 if MANY else 40))
