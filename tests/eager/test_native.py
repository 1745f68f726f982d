"""The C module owns what it holds and lets through what is not for it.

Most of it holds for the Python functions that stand in for it as well.
"""

import gc
import signal
import sys
import threading

import numpy as np
import pytest

import twinflow as tf
from tests.children import words_of
from tests.ways import eager
from twinflow.autodiff.backprop import backprop
from twinflow.base import factory, native
from twinflow.base.products import PRODUCTS
from twinflow.base.vjp import Vjp, vjp
from twinflow.ops.core.elementwise import add, multiply, tanh

NATIVE = pytest.mark.skipif(native.fast is None, reason="no C module")


class Stop(BaseException):
    """As KeyboardInterrupt: no Exception."""


OUTSIDE = [KeyboardInterrupt, SystemExit, GeneratorExit, Stop]


@pytest.fixture(autouse=True)
def eagerly():
    with eager():
        yield


def with_kernel(function, kernel):
    """A public function, computing with another kernel."""
    text, op, names, _, slow, matrices, attrs = function.facts
    return factory._make(text, op, names, "x", "x", kernel, slow, matrices, attrs)


def raising(error):
    def kernel(*arrays):
        raise error

    return kernel


# ---------------------------------------------------------------- what goes through
@pytest.mark.parametrize("kind", OUTSIDE)
@pytest.mark.parametrize("function", [add, multiply, tanh, tf.less])
def test_what_is_no_exception_goes_through_a_kernel(function, kind):
    broken = with_kernel(function, raising(kind))
    x = tf.constant([1.0])
    args = [x] * len(function.op.sig.inputs)
    with pytest.raises(kind), tf.GradientTape() as tape:
        tape.watch(x)
        broken(*args)
    if len(args) == 2:
        with pytest.raises(kind):
            broken(2.0, x)
            broken(2.0, x)  # the number is kept now


@pytest.mark.parametrize("kind", OUTSIDE)
def test_what_is_no_exception_goes_through_the_tape(kind):
    """A rule that fails, what a record keeps, and the place where tapes are found."""
    x = tf.constant([1.0])
    rule = vjp(add.op, 3)._replace(back=raising(kind))
    with pytest.raises(kind):
        backprop([(rule, (1, 2), 3, (), None)], {3: x}, [1])
    function = with_kernel(add, add.op.np)
    keeping = Vjp(add.op, raising(kind), None, None, (0,))
    before, add.op.vjps[1] = add.op.vjps.get(1) or vjp(add.op, 1), keeping
    try:
        with pytest.raises(kind), tf.GradientTape() as tape:
            tape.watch(x)
            function(x, tf.constant([2.0]))
    finally:
        add.op.vjps[1] = before


@pytest.mark.parametrize("kind", OUTSIDE)
@pytest.mark.parametrize("shape", [(4, 4), (200, 200)])
def test_what_is_no_exception_goes_through_a_product(kind, shape):
    class Odd(np.ndarray):
        def dot(self, *others):
            raise kind

        @property
        def T(self):
            raise kind

    a = np.ones(shape, np.float32).view(Odd)
    for product in PRODUCTS.values() if native.fast else ():
        with pytest.raises(kind):
            product(a, a)


def test_an_exception_is_worded_by_the_op():
    broken = with_kernel(add, raising(RuntimeError("it broke")))
    x = tf.constant([1.0])
    assert broken(x, x).numpy() == 2.0  # the op's own kernel does the work again


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such timer here")
def test_no_interruption_is_lost():
    raised, caught = [], []

    def interrupt(number, frame):
        raised.append(1)
        raise Stop

    x = tf.constant(np.ones(2000, np.float32))
    former = signal.signal(signal.SIGALRM, interrupt)
    try:
        for i in range(150):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0005 + 1e-6 * i)
                for _ in range(5000):  # the timer is to come long before
                    tf.tanh(x * 2.0)
            except Stop:
                caught.append(1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
    assert len(caught) == len(raised) == 150


# ------------------------------------------------------------------ what is owned
def _calls():
    x, y = tf.constant(np.ones((3, 4), np.float32)), tf.constant(2.0)
    m = tf.constant(np.ones((4, 3), np.float32))
    broken = with_kernel(add, raising(Stop))
    _ = x * 2.0  # from now on the number is kept

    def plain():
        _ = x + x, x * 2.0, 2 * x, tf.tanh(x), x @ m, tf.reduce_sum(x), x < y

    def taped():
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, y])
            z = tf.reduce_sum(tf.tanh(x @ m) * y + 3.0 * y) + y * y
        tape.gradient(z, [x, y]), tape.gradient(z, y)

    def refused():
        for wrong in (lambda: x + m, lambda: x @ x, lambda: x + "a", lambda: x + 2j):
            with pytest.raises((TypeError, ValueError, tf.errors.OpError)):
                wrong()

    def stopped():
        with pytest.raises(Stop), tf.GradientTape() as tape:
            tape.watch(x)
            broken(x, x)
        with pytest.raises(Stop):
            broken(x, 2.0)

    def products():
        a = np.ones((70, 600), np.float32)
        for (ta, tb), product in PRODUCTS.items():
            product(a if not ta else a.T, a.T if not tb else a)

    return [plain, taped, refused, stopped, products], (x, y, m)


def leaks(call, tensors):
    """What is held once more, or more often, for each three calls."""
    held = {
        "x": tensors[0], "y": tensors[1], "m": tensors[2], "array": tensors[0]._a,
        "float32": tf.float32, "op": add.op, "attrs": add.op.sig.attrs, "None": None,
        "zero": 0, "add's vjp": vjp(add.op, 3), "2.0": tf.float32.scalars[2.0],
    }  # fmt: skip

    def counts():
        gc.collect()
        blocks = {"blocks": sys.getallocatedblocks()}
        return {k: sys.getrefcount(v) for k, v in held.items()} | blocks

    for _ in range(50):
        call()
    before = counts()
    for _ in range(300):
        call()
    after = counts()
    return {k: after[k] - before[k] for k in before if abs(after[k] - before[k]) >= 100}


def test_calls_leave_nothing_behind():
    """In a process of its own: other threads count as well."""
    program = """
from tests.eager.test_native import _calls, eager, leaks
with eager():
    calls, tensors = _calls()
    for call in calls:
        print(call.__name__, leaks(call, tensors))
"""
    words = words_of(program)
    names = ["plain", "taped", "refused", "stopped", "products"]
    assert words == [w for name in names for w in (name, "{}")]


TWO_THREADS = """
import sys, threading, time, numpy as np, twinflow as tf
tf.enable_eager_execution()
end = time.monotonic() + float(sys.argv[1])
def work(x, step):
    i = 0
    while time.monotonic() < end:
        for _ in range(100):
            i += step
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x * (i * 1e-3 + 1.5)
            tape.gradient(y, x)
big, small = tf.ones([200_000]), tf.ones([2])
jobs = [(big, 0), (small, 1), (small, 7)]
threads = [threading.Thread(target=work, args=job) for job in jobs]
for t in threads: t.start()
for t in threads: t.join()
print("done")
"""


def test_a_number_stays_while_another_thread_forgets_it():
    words = words_of(TWO_THREADS, "2", PYTHONMALLOC="debug")
    assert words == ["done"]


@NATIVE
def test_threads_have_calls_of_their_own():
    """A tape records the calls of its thread alone, and no result is mixed up."""
    errors = []

    def work(n):
        try:
            with eager():
                x = tf.constant(np.full(1000, float(n), np.float32))
                for i in range(150):
                    with tf.GradientTape() as tape:
                        tape.watch(x)
                        y = tf.reduce_sum(x * x * (i + 0.5))
                    found = tape.gradient(y, x).numpy()
                    assert (found == 2 * n * (i + 0.5)).all()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(1, 5)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    assert not errors


# -------------------------------------------------------- what is handed in by mistake
@NATIVE
def test_half_made_tensors_and_odd_arguments_are_refused():
    cls, fast = type(tf.constant(1.0)), native.fast
    empty, x = object.__new__(cls), tf.constant([1.0])
    for args in ([empty, x], [x, empty], [empty, 2.0]):
        with pytest.raises(AttributeError):
            tf.add(*args)
    with pytest.raises(AttributeError):
        tf.tanh(empty)
    odd = fast.wrap(np.ones(2, np.float32), None)  # no DType at all
    with pytest.raises(AttributeError, match="base_dtype"):
        tf.add(odd, odd)
    for call in (
        lambda: fast.Fast(1, 2), lambda: fast.wrap(1), lambda: fast.setup(1),
        lambda: fast.walk_back(1, 2),
        lambda: fast.walk_back([], {}, set(), {}, (1,) * 7),
        lambda: fast.Fast(add, add, 3, (), None, 0, add.op, {}, {}, vjp, 3, None),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            call()


@NATIVE
def test_records_that_are_not_plain_go_to_python():
    seen = []
    walk = native.fast.walk_back
    records = [
        (),
        (1, 2),
        [1] * 5,
        ((1,), (), 3, (), None),
        (vjp(add.op, 3), 1, 3, 4, 5),
    ]
    how = (object, object, None, add, add, lambda *a: seen.append(a[-1]), add, add)
    walk(records, {}, set(), {}, how)
    assert len(seen) == 5 and records == []


@NATIVE
@pytest.mark.skipif(not hasattr(native.fast, "convolve"), reason="no convolutions here")
def test_sizes_of_a_convolution_that_do_not_fit_are_refused():
    x, w = np.ones((1, 4, 4, 2), np.float32), np.ones((3, 3, 2, 5), np.float32)
    y = np.zeros((1, 2, 2, 5), np.float32)
    sizes = [1, 4, 4, 2, 2, 2, 5, 3, 3, 1, 1, 1, 1, 0, 0]
    native.fast.convolve(x, w, y, (0, *sizes))
    assert (y == 18).all()
    for i in range(16):
        for wrong in (-1, 0, 7, 2**16, 2**31 - 1, 2**31, 2**62, 2**63 - 1, -(2**63)):
            bad = [0, *sizes]
            # strides, dilations and padding may be others, within memory
            if bad[i] != wrong and not (i > 9 and 0 <= wrong <= 2**16) and i:
                bad[i] = wrong
                try:
                    native.fast.convolve(x, w, y, tuple(bad))
                except (ValueError, MemoryError):
                    continue
                assert i > 9, (i, wrong)
    for odd in ((0,), (5, *sizes), ("a", *sizes), (2**70, *sizes)):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            native.fast.convolve(x, w, y, odd)
    for arrays in ((x, w, y[..., :4]), (x.astype(float), w, y), (x, w.T, y), (x, w, 3)):
        with pytest.raises((ValueError, TypeError, BufferError)):
            native.fast.convolve(*arrays, (0, *sizes))
