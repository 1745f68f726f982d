"""Ops that draw random numbers: by `philox`, from the streams of `streams`."""

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.annotations import DTypeValue, ShapeValue
from twinflow.base.convert import is_tensor_like, to_array
from twinflow.base.op import FLOAT, INDEX
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import add, multiply, subtract
from twinflow.ops.core.infer import ints, ranked, sizes
from twinflow.ops.random import original, original_trials, philox
from twinflow.ops.random.streams import (
    DEFAULT_GRAPH_SEED,
    Original,
    Stream,
    define_draw,
    draw,
    get_seed,
    initializing,
    set_random_seed,
)

__all__ = [
    "DEFAULT_GRAPH_SEED", "Stream", "get_seed", "initializing", "random_normal",
    "random_uniform", "set_random_seed", "truncated_normal",
]  # fmt: skip

_SAMPLED = FLOAT | INDEX


def infer_draw(shape, *_, **__):
    """The shape that a host input gives."""
    if shape is None:
        return None
    if type(shape) is not tuple and np.ndim(shape) != 1:
        what = "shape must be a vector of {int32,int64}, got shape {}"
        ranked(np.shape(shape), 1, what)
    return sizes(shape)


def _by_shape(draw):
    """The draw of an op that has only a shape."""
    return lambda xp, key, position, shape, dtype: draw(
        xp, key, position, ints(shape), dtype.np
    )


def _on_arrays(draw):
    """A draw of NumPy or jax.numpy alone, as an Original has it."""
    return lambda jax, *args: draw(np if jax is None else jax.numpy, *args)


def _shaped(op_type, draw, original_draw):
    """An op that has only a shape."""
    return define_draw(
        op_type,
        on_host="shape",
        infer=infer_draw,
        draw=_by_shape(draw),
        original=Original(_by_shape(original_draw), original.by_shape),
    )


RandomUniform = _shaped("RandomUniform", philox.uniform, _on_arrays(original.uniform))
RandomStandardNormal = _shaped(
    "RandomStandardNormal", philox.normal, _on_arrays(original.normal)
)
TruncatedNormal = _shaped(
    "TruncatedNormal", philox.truncated_normal, original_trials.truncated_normal
)


def _infer_integers(shape, minval, maxval, **_):
    for name, bound in (("minval", minval), ("maxval", maxval)):
        ranked(bound._shape, 0, f"{name} must be 0-D, got shape {{}}")
    return infer_draw(shape)


def _integer_guard(xp):
    return lambda shape, minval, maxval, **_: (
        minval < maxval if 0 not in ints(shape) else xp.bool_(True)
    )


def _integer_check(shape, minval, maxval, **_):
    if minval >= maxval and 0 not in ints(shape):
        return f"Need minval < maxval, got {minval} >= {maxval}"
    return None


def _of_integers(draw):
    """The draw of RandomUniformInt."""
    return lambda xp, key, position, shape, minval, maxval, Tout: draw(
        xp, key, position, ints(shape), minval, maxval
    )


RandomUniformInt = define_draw(
    "RandomUniformInt",
    on_host="shape",
    attrs={"Tout": dtypes.int32},
    infer=_infer_integers,
    draw=_of_integers(philox.integers),
    original=Original(_of_integers(_on_arrays(original.integers)), original.by_shape),
    guard=_integer_guard,
    check=_integer_check,
)


def random_uniform(
    shape: ShapeValue, minval: TensorValue = 0, maxval: TensorValue | None = None,
    dtype: DTypeValue = dtypes.float32, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Uniform random numbers in [minval, maxval).

    Floats have all of their bits after the point random (23 for float32) and are equal
    in every mode. Integers are all equally likely up to 2**-32 (int32).

    Args:
        shape: int[rank].
        minval, maxval: dtype[] (floats: anything that broadcasts against `shape`).
            `maxval` is 1 by default for floats and must be given for integers.
        dtype: float16, bfloat16, float32, float64, int32 or int64.
        seed: an int; see tf.set_random_seed.
        name: the name of the result in a graph.
    Returns:
        dtype[shape]
    Raises:
        ValueError: another dtype, or integers without `maxval`.
        tf.errors.InvalidArgumentError: integers with minval >= maxval.
    Example:
        tf.random_uniform([2, 3], maxval=10, dtype=tf.int32)  # int32[2, 3]
    """
    dtype = dtypes.as_dtype(dtype)
    if dtype not in _SAMPLED:
        raise ValueError(f"Invalid dtype {dtype!r}")
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
        maxval = 1
    standard = _is_number(minval, 0) and _is_number(maxval, 1)
    with scoped(name, "random_uniform") as scope:
        dims = draw_shape(shape)
        if dtype.is_floating and standard and dispatch.current_mode().eager:
            return draw(RandomUniform, (dims,), {"dtype": dtype}, seed, scope)
        low = convert_to_tensor(minval, dtype, name="min")
        high = convert_to_tensor(maxval, dtype, name="max")
        if dtype.is_integer:
            inputs = (dims, low, high)
            return draw(RandomUniformInt, inputs, {"Tout": dtype}, seed, scope)
        u = draw(RandomUniform, (dims,), {"dtype": dtype}, seed)
        return add(multiply(u, subtract(high, low, "sub"), "mul"), low, scope)


def random_normal(
    shape: ShapeValue, mean: TensorValue = 0.0, stddev: TensorValue = 1.0,
    dtype: DTypeValue = dtypes.float32, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Normal random numbers.

    Args:
        shape: int[rank].
        mean, stddev: dtype, anything that broadcasts against `shape`.
        dtype: float16, bfloat16, float32 or float64.
        seed: an int; see tf.set_random_seed.
        name: the name of the result in a graph.
    Returns:
        dtype[shape]; modes may differ in the last places.
    Raises:
        TypeError: another dtype.
    Example:
        tf.random_normal([2, 3], stddev=0.1)  # float32[2, 3]
    """
    return _bell(
        RandomStandardNormal, shape, mean, stddev, dtype, seed, name, "random_normal"
    )


def truncated_normal(
    shape: ShapeValue, mean: TensorValue = 0.0, stddev: TensorValue = 1.0,
    dtype: DTypeValue = dtypes.float32, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Normal random numbers given that they are within two `stddev` of `mean`.

    Args, Returns and Raises: as `tf.random_normal`. The standard deviation of the
    result is 0.87962566 `stddev`.
    Example:
        tf.truncated_normal([784, 10], stddev=0.1)  # float32[784, 10]
    """
    return _bell(
        TruncatedNormal, shape, mean, stddev, dtype, seed, name, "truncated_normal"
    )


def _bell(op, shape, mean, stddev, dtype, seed, name, default):
    attrs = {"dtype": dtypes.as_dtype(dtype)}
    standard = _is_number(mean, 0) and _is_number(stddev, 1)
    with scoped(name, default) as scope:
        dims = draw_shape(shape)
        if standard and dispatch.current_mode().eager:
            return draw(op, (dims,), attrs, seed, scope)
        mean = convert_to_tensor(mean, attrs["dtype"], name="mean")
        stddev = convert_to_tensor(stddev, attrs["dtype"], name="stddev")
        z = draw(op, (dims,), attrs, seed)
        return add(multiply(z, stddev, "mul"), mean, scope)


def _is_number(value, wanted):
    return type(value) in (int, float) and value == wanted


def scoped(name, default):
    """The name scope of a composed op; gives the name of its result."""
    return dispatch.current_mode().name_scope(name or default)


def draw_shape(shape):
    """The shape of a result as a host value."""
    eager = dispatch.current_mode().eager
    if eager and type(shape) in (list, tuple) and all(type(d) is int for d in shape):
        return tuple(shape)
    if is_tensor_like(shape) or (isinstance(shape, list | tuple) and _mixed(shape)):
        found = convert_to_tensor(shape, name="shape")
        _check_index(found.dtype)
        return found
    if isinstance(shape, TensorShape):
        shape = shape.as_list()
    empty = isinstance(shape, list | tuple) and not shape
    found, dtype = to_array(shape, dtypes.int32 if empty else None)
    _check_index(dtype)
    if eager:
        return found
    return dispatch.current_mode().make_constant(found, dtype, "shape")


def _mixed(shape):
    return any(is_tensor_like(d) for d in shape)


def _check_index(dtype):
    if dtype not in INDEX:
        raise advised(
            TypeError,
            f"Value passed to parameter 'shape' has DataType {dtype.name} not in list "
            "of allowed values: int32, int64",
        )
