"""A call has one meaning: what the fast functions give is what EagerMode.run_op gives.

The fast functions are those of base/factory.py, in C or (TWINFLOW_NATIVE=0) in Python.
Each is held against the Python function that it hands over to, on every dtype, on all
forms of operands, under tapes, and where the call must fail.
"""

import gc
import itertools

import numpy as np
import pytest

import twinflow as tf
from tests.support import op_cases  # noqa: F401 - loads every op
from tests.ways import eager
from twinflow.base import dtypes, factory, native
from twinflow.base.dispatch import apply
from twinflow.base.tensor import Tensor
from twinflow.eager.mode import MODE
from twinflow.ops.core import reduction
from twinflow.ops.nn.bias import BiasAdd

KIND = native.fast.Fast if native.fast else type(apply)
FAST = sorted(
    (f for f in gc.get_objects() if isinstance(f, KIND) and hasattr(f, "facts")),
    key=lambda f: (f.op.type, f.__name__),
)
DTYPES = [t for t in dtypes.ALL_TYPES if t.is_number or t.is_bool or t is tf.string]
BINARY = [f for f in FAST if len(f.op.sig.inputs) == 2]
UNARY = [f for f in FAST if len(f.op.sig.inputs) == 1]


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


def sample(dtype, shape, seed=0):
    """A tensor of numbers at which most functions have a value."""
    if dtype is tf.string:
        return tf.constant(np.full(shape, b"a", object))
    numbers = np.random.RandomState(seed).uniform(0.2, 0.9, shape)
    if dtype.is_integer:
        numbers = np.floor(numbers * 5) + 1
    if dtype.is_bool:
        numbers = numbers > 0.5
    return tf.constant(np.asarray(numbers).astype(dtype.np))


def outcome(function, args, watched, tapes=1, **names):
    """What a call comes to: a value or an error, and what its tapes have recorded."""
    made = [tf.GradientTape(persistent=True) for _ in range(tapes)]
    for tape in made:
        tape.__enter__()
        tape.watch([args[i] for i in watched])
    try:
        out = function(*args, **names)
    except Exception as error:
        return type(error), str(error)
    finally:
        for tape in reversed(made):
            tape.__exit__()
    a = np.asarray(out._a)
    value = a.tolist() if out.dtype is tf.string else a.tobytes()
    seen = [(_plain(t, args), out._id in t.watched) for t in made]
    return out.dtype, a.dtype, a.shape, value, seen


def _plain(tape, args):
    """The records of a tape without ids, which are drawn anew by each call."""
    names = {t._id: i for i, t in enumerate(args) if isinstance(t, Tensor) and t._id}
    plain = []
    for i, (v, ins, out, kept, attrs) in enumerate(tape.records):
        names[out] = f"record {i}"
        kept = [k._a.tobytes() if isinstance(k, Tensor) else k for k in kept]
        ins = [names.get(n) for n in ins]
        plain.append((v.op.type, v.wanted, ins, names[out], kept, dict(attrs or {})))
    return plain


def same(f, args, watched=(), whole=None, **how):
    whole = whole or f.__wrapped__
    found, wanted = (
        outcome(f, args, watched, **how),
        outcome(whole, args, watched, **how),
    )
    assert found == wanted, (f.op.type, f.__name__, args, watched, how)
    return found


def slopes(args):
    """The sets of operands to watch."""
    places = [
        i for i, t in enumerate(args)
        if isinstance(t, Tensor) and t.dtype.is_inexact
    ]  # fmt: skip
    for n in range(len(places) + 1):
        yield from itertools.combinations(places, n)


def test_there_are_many():
    assert len(UNARY) > 30 and len(BINARY) > 35


@pytest.mark.parametrize("f", UNARY, ids=lambda f: f"{f.op.type}-{f.__name__}")
def test_functions_of_one_tensor(f):
    values = 0
    for dtype in DTYPES:
        for shape in ((), (3,), (2, 3), (0,), (2, 1, 2)):
            x = sample(dtype, shape)
            for watched in slopes([x]):
                found = same(f, [x], watched)
                values += isinstance(found[0], dtypes.DType)
    assert values
    x = sample(f.op.np and _usual(f), (2, 2))
    same(f, [x], (), name="a_name"), same(f, [x], (), tapes=0)
    same(f, [x, "a_name"]), same(f, [[0.5, 1.0]]), same(f, [np.float32([0.5])])
    same(f, [tf.Variable([0.5])]), same(f, [None])


@pytest.mark.parametrize("f", BINARY, ids=lambda f: f"{f.op.type}-{f.__name__}")
def test_functions_of_two_tensors(f):
    values = 0
    shapes = [((), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((2,), (3,)),
              ((2, 3), (3, 2)), ((0,), (1,)), ((2, 2, 2), (2, 2, 2))]  # fmt: skip
    for dtype in DTYPES:
        for left, right in shapes:
            args = [sample(dtype, left), sample(dtype, right, 1)]
            for watched in slopes(args):
                found = same(f, args, watched)
                values += isinstance(found[0], dtypes.DType)
    assert values
    x = sample(_usual(f), (2, 2))
    same(f, [x, x], (0,) if x.dtype.is_inexact else ())
    same(f, [x, x], (), tapes=2), same(f, [x, x], (), tapes=0)
    same(f, [x, x, "a_name"]), same(f, [x, x], (), name="a_name")


@pytest.mark.parametrize("f", BINARY, ids=lambda f: f"{f.op.type}-{f.__name__}")
def test_numbers_and_other_values_beside_a_tensor(f):
    others = [0.5, 2, 1.0, 0, -0.0, True, np.float32(0.5), np.int64(2), [0.5, 1.0], "a",
              None, 2**40, float("nan"), 1 + 1j]  # fmt: skip
    for dtype in DTYPES:
        x = sample(dtype, (2, 2))
        for other, _twice in itertools.product(others, range(2)):  # then it is kept
            for args in ([x, other], [other, x]):
                for watched in slopes(args):
                    same(f, args, watched)


@pytest.mark.parametrize("f", BINARY, ids=lambda f: f"{f.op.type}-{f.__name__}")
def test_dtypes_that_differ_and_variables(f):
    x, y = sample(tf.float32, (2, 2)), sample(tf.float64, (2, 2))
    for args in ([x, y], [y, x], [x, sample(tf.int32, (2, 2))]):
        same(f, args), same(f, args, (0,))
    v = tf.Variable([[0.5, 0.25], [1.0, 2.0]])
    for args in ([v, x], [x, v], [v, v], [v, 2.0]):
        same(f, args)


def test_zero_divisors_are_refused_alike():
    for f in BINARY:
        for dtype in (tf.int32, tf.int64, tf.float32):
            same(f, [sample(dtype, (2,)), tf.zeros([2], dtype)])


def test_two_tapes_are_told_alike():
    x, y = sample(tf.float32, (2, 2)), sample(tf.float32, (2, 2), 1)
    for f in BINARY:
        same(f, [x, y], (0, 1), tapes=2)


def _usual(f):
    allowed = f.op.types.get("T", {f.op.sig.inputs[0].dtype})
    return tf.float32 if tf.float32 in allowed else next(iter(allowed))


def test_graphs_and_functions_never_come_to_a_kernel():
    """Not with constants, kept numbers or eager tensors either."""

    def never(*arrays):
        raise KeyboardInterrupt

    x = tf.constant([0.5])
    _ = x + 2.0  # the number is kept
    for f in FAST:
        text, op, names, _, slow, matrices, attrs = f.facts
        there = factory._make(text, op, names, "f", "f", never, slow, matrices, attrs)
        rows = sample(_usual(f), (1, 1))
        args = [rows] * len(names)
        with pytest.raises(KeyboardInterrupt):
            there(*args)
        traced = tf.contrib.eager.defun(lambda: there(*args))
        np.testing.assert_array_equal(traced().numpy(), f(*args).numpy())
        with tf.Graph().as_default():
            symbolic = [tf.constant(t.numpy()) for t in args]
            assert there(*symbolic).op.type in (op.type, "Identity", "Const"), op


# ------------------------------------------------------------ other short cuts
REDUCERS = [
    getattr(reduction, f"reduce_{name}")
    for name in ("sum", "mean", "prod", "max", "min", "all", "any")
]


@pytest.mark.parametrize("f", REDUCERS, ids=lambda f: f.__name__)
def test_reductions(f):
    def by_the_op(x, axis=None, keepdims=False):
        axes = tuple(range(x._a.ndim)) if axis is None else axis
        return apply(f.op, (x, axes), {"keep_dims": keepdims})

    calls = [{}, {"axis": 0}, {"axis": (0,), "keepdims": True}, {"keepdims": True}]
    for dtype, shape, how in itertools.product(
        DTYPES, [(), (3,), (2, 3), (0, 2)], calls
    ):
        if not shape and "axis" in how:
            continue  # there is no such axis: worded by the public function
        x = sample(dtype, shape)
        for watched in slopes([x]):
            found = outcome(lambda x: f(x, **how), [x], watched)
            wanted = outcome(lambda x: by_the_op(x, **how), [x], watched)
            if isinstance(found[0], dtypes.DType) or dtype in f.op.types.get("T", ()):
                assert found == wanted, (f.__name__, dtype, shape, how)


@pytest.mark.parametrize("shapes", [((2, 3), (3,)), ((2, 2, 3), (3,)), ((2, 3), (2,))])
def test_biases(shapes):
    for dtype in DTYPES:
        args = [sample(dtype, shapes[0]), sample(dtype, shapes[1], 1)]
        for watched in slopes(args):
            found = outcome(tf.nn.bias_add, args, watched)
            wanted = outcome(
                lambda x, b: apply(BiasAdd, (x, b), None, "BiasAdd"), args, watched
            )
            assert found == wanted


@pytest.mark.parametrize("function", BINARY, ids=lambda f: f"{f.op.type}-{f.__name__}")
def test_variables_are_read_and_take_the_fast_way(function, monkeypatch):
    """Only an op whose plain calls are none for this dtype reaches run_op."""
    if tf.float32 not in factory.plain_types(function.op):
        pytest.skip("takes no float32")
    ran, run_op = [], type(MODE).run_op

    def noted(self, op, *args):
        ran.append(op.type)
        return run_op(self, op, *args)

    x = sample(tf.float32, [2, 2])
    v = tf.contrib.eager.Variable(x)
    monkeypatch.setattr(type(MODE), "run_op", noted)
    for args in [(x, v), (v, x), (v, v)]:
        function(*args)
    assert function.op.type not in ran
