"""What is checked of every row of the table of op cases.

Each check takes a row and raises AssertionError with the name of the row. These need
only the eager engine; testing.engine_checks has the others.
"""

import functools
import itertools

import numpy as np

from tests.support.gradients import check_gradients
from tests.support.op_cases.table import cast_samples
from twinflow.base import dtypes, shapes
from twinflow.base.dispatch import apply, entered
from twinflow.base.op import registry
from twinflow.base.tensor import Tensor
from twinflow.eager.mode import MODE
from twinflow.ops.core.constant import constant


def eagerly(check):
    """Run a check in eager mode, whatever the mode around it."""

    @functools.wraps(check)
    def run(row):
        with entered(MODE):
            return check(row)

    return run


def as_op(row):
    """The Op of a row, or None where the row is of a public function."""
    return registry[row.op] if isinstance(row.op, str) else None


def call(row, inputs, attrs=None):
    """Run the row's op or function on `inputs`; returns a list of tensors."""
    op, attrs = as_op(row), row.attrs if attrs is None else attrs
    if op is None:
        out = row.op(*inputs, **attrs)
    else:
        out = apply(op, tuple(inputs), {**op.sig.attrs, **attrs})
    return [out] if isinstance(out, Tensor) else list(_flat(out))


def _flat(value):
    for v in value:
        if isinstance(v, list | tuple):
            yield from _flat(v)
        elif v is not None:
            yield v


def dtypes_of(row):
    """The dtypes to run a row in: one, where it has no float samples."""
    return row.dtypes if any(_is_sample(x) for x in row.inputs) else row.dtypes[-1:]


def _is_sample(x):
    if isinstance(x, list):
        return any(_is_sample(v) for v in x)
    return isinstance(x, np.ndarray) and x.dtype == np.float64


def expected(row):
    """The reference's results: a list of arrays, computed in float64."""
    out = row.reference
    if callable(out):
        out = out(*row.inputs, **row.attrs)
    out = list(out) if isinstance(out, list | tuple) else [out]
    return [np.asarray(a) for a in out]


def assert_close(row, found, wanted, dtype):
    """Compare one result with the reference: shape, exact dtype, values."""
    label = f"{row.name} in {dtype}"
    floats = wanted.dtype == np.float64
    kind = np.dtype(dtypes.as_dtype(dtype).np) if floats else wanted.dtype
    assert found.dtype == kind, f"{label}: dtype {found.dtype}, expected {kind}"
    assert found.shape == wanted.shape, f"{label}: {found.shape} != {wanted.shape}"
    if not floats and found.dtype.kind not in "fcV":
        assert np.array_equal(found, wanted), f"{label}:\n{found}\n!=\n{wanted}"
        return
    wide = np.complex128 if found.dtype.kind == "c" else np.float64
    x, y = found.astype(wide), wanted.astype(wide)
    finite = np.isfinite(y)
    assert np.array_equal(x[~finite], y[~finite], equal_nan=True), f"{label}: {x} {y}"
    scale = max(1.0, float(np.abs(y[finite]).max(initial=0)))
    worst = float(np.abs(x[finite] - y[finite]).max(initial=0)) / scale
    limit = row.tolerance(dtype if floats else str(found.dtype))
    assert worst <= limit, f"{label}: off by {worst:.3g} of the scale, allowed {limit}"


def results(row, dtype):
    """What the row gives eagerly, as arrays."""
    with entered(MODE):
        found = call(row, row.arrays(dtypes.as_dtype(dtype).np))
    return [np.asarray(t._a) for t in found]


@eagerly
def check_forward(row):
    """The eager kernel gives the reference, in exactly its dtype."""
    wanted = expected(row)
    for dtype in dtypes_of(row):
        kind = dtypes.as_dtype(dtype).np
        found = call(row, row.arrays(kind))
        assert len(found) == len(wanted), f"{row.name}: {len(found)} outputs"
        for t, w in zip(found, wanted, strict=True):
            a = t._a
            assert isinstance(a, np.ndarray | np.generic), f"{row.name}: {type(a)}"
            assert t.dtype.np == a.dtype, f"{row.name}: {t.dtype} holds {a.dtype}"
            assert_close(row, np.asarray(a), w, dtype)


# ------------------------------------------------------------------ infer
class _Known:
    """What infer sees of a tensor."""

    def __init__(self, dtype, shape):
        self.dtype, self._shape = dtype, shape

    @property
    def shape(self):
        return shapes.TensorShape(self._shape)


@eagerly
def check_infer(row):
    """The shape rule agrees with the result, on known and partly unknown shapes."""
    op = as_op(row)
    if op is None or op.infer is None:
        return
    inputs = row.arrays(np.float32)
    real = [t._shape for t in call(row, inputs)]
    args = [x if arg.host else _described(x) for arg, x in zip(op.sig.inputs, inputs)]
    attrs = {**op.sig.attrs, **row.attrs}
    full = _inferred(op, args, attrs)
    if not (row.data_dependent or op.host):
        assert full == real, f"{row.name}: infer gives {full}, the kernel {real}"
    for known in _weakened(op, args) if row.partial else ():
        found = _inferred(op, known, attrs)
        fits = len(found) == len(real) and all(map(shapes.compatible, found, real))
        seen = [getattr(k, "_shape", k) for k in known]
        assert fits, f"{row.name}: infer gives {found} from {seen}, the kernel {real}"


def _described(x):
    if isinstance(x, list) and any(isinstance(v, np.ndarray) for v in x):
        return [_described(v) for v in x]
    t = constant(x)
    return _Known(t.dtype, t._shape)


def _inferred(op, args, attrs):
    out = op.infer(*args, **attrs)
    return [out] if op.single else list(out)


def _weakened(op, args):
    """The arguments with one dimension, one value, or everything unknown."""
    choices = [list(_weaker(arg, x)) for arg, x in zip(op.sig.inputs, args)]
    for i, options in enumerate(choices):
        for weak in options:
            yield [*args[:i], weak, *args[i + 1 :]]
    yield from itertools.islice(
        itertools.product(*(o or [a] for o, a in zip(choices, args))), 60
    )
    if choices:
        yield [options[-1] if options else a for options, a in zip(choices, args)]


def _weaker(arg, x):
    if arg.host:
        yield from _weaker_host(x)
    elif isinstance(x, list):
        for i, v in enumerate(x):
            for weak in _weaker(arg._replace(is_list=False), v):
                yield [*x[:i], weak, *x[i + 1 :]]
        yield [_Known(v.dtype, None) for v in x]
    else:
        s = x._shape
        for i in range(len(s)):
            yield _Known(x.dtype, s[:i] + (None,) + s[i + 1 :])
        yield _Known(x.dtype, (None,) * len(s))
        yield _Known(x.dtype, None)


def _weaker_host(value):
    """As graphs hand over what they know of a host input: partly, by length, not."""
    array = np.asarray(value)
    if array.ndim == 1 and array.dtype.kind == "i":
        whole = tuple(array.tolist())
        for i in range(len(whole)):
            yield whole[:i] + (None,) + whole[i + 1 :]
        yield (None,) * len(whole)
    yield None


# ------------------------------------------------------------------ gradients
@eagerly
def check_gradient(row):
    """The gradients agree with differences in float64, first and second order."""
    places = differentiated(row)
    if not places:
        return
    flat, rebuild = _split(row, places)
    check_gradients(lambda *xs: _floats_of(call(row, rebuild(xs))), flat, row.order)


def _floats_of(tensors):
    return [t for t in tensors if t.dtype.is_floating]


def differentiated(row):
    """The positions of the inputs that the row differentiates."""
    if row.grad is not None:
        return tuple(row.grad)
    op = as_op(row)
    return tuple(
        i for i, x in enumerate(row.inputs)
        if _is_sample(x) and (op is None or op.rules[i] is not None)
    )  # fmt: skip


def _split(row, places):
    """The arrays to differentiate, and how to put tensors in their places."""
    inputs = row.arrays(np.float64)
    flat = [
        a
        for i in places
        for a in (inputs[i] if isinstance(inputs[i], list) else [inputs[i]])
    ]

    def rebuild(tensors):
        it, out = iter(tensors), list(inputs)
        for i in places:
            x = inputs[i]
            out[i] = [next(it) for _ in x] if isinstance(x, list) else next(it)
        return out

    return flat, rebuild


# ------------------------------------------------------------------ errors
@eagerly
def check_errors(row):
    """Every call that must fail fails as the row says."""
    for bad in row.errors:
        inputs = [cast_samples(x, np.float32) for x in bad.inputs]
        try:
            call(row, inputs, {**row.attrs, **bad.attrs})
        except bad.type as raised:
            assert bad.text in str(raised), f"{row.name}: {raised}"
        else:
            raise AssertionError(f"{row.name}: {bad} did not fail")


# ------------------------------------------------------------------ other engines
