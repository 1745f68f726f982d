"""What variables start with: tf.initializers.

An initializer is called with a shape and gives a tensor. One without a seed of its own
draws from the stream of the variable that it is called for; see Note [Random streams].
"""

import math
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.dispatch import apply, current_mode
from twinflow.base.op import FLOAT, bind_first, define
from twinflow.ops.core.constant import constant
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.random.draws import random_normal, random_uniform, truncated_normal
from twinflow.ops.random.initializers_plain import (
    Constant,
    Initializer,
    Ones,
    RandomNormal,
    RandomUniform,
    TruncatedNormal,
    Zeros,
    dims,
    floating,
)

# The standard deviation of a standard normal number z given that |z| < 2.
_TRUNCATED_STDDEV = 0.87962566103423978


def _whole(shape, partition_info):
    """The shape of the variable that `shape` may be a part of."""
    return shape if partition_info is None else dims(partition_info.full_shape)


class UniformUnitScaling(Initializer):
    """Uniform in [-limit, limit), limit = factor sqrt(3 / n).

    n is the product of all dimensions but the last one: the number of inputs of a
    matrix or a convolution. Deprecated for VarianceScaling(distribution="uniform").
    """

    config = ("factor", "seed", "dtype")

    def __init__(
        self, factor: Any = 1.0, seed: int | None = None,
        dtype: DTypeValue = dtypes.float32,
    ) -> None:  # fmt: skip
        self.factor, self.seed, self.dtype = factor, seed, floating(dtype)

    def _values(self, shape, dtype, part):
        n = max(math.prod(_whole(shape, part)[:-1]), 1)
        limit = math.sqrt(3 / n) * self.factor
        return random_uniform(shape, -limit, limit, dtype, self.seed)


class VarianceScaling(Initializer):
    """Random with the variance scale / n, so that layers keep the size of signals.

    n is the number of inputs ("fan_in") of a unit, of outputs ("fan_out"), or the mean
    of the two ("fan_avg").

    Args:
        scale: a positive float.
        mode: "fan_in", "fan_out" or "fan_avg".
        distribution: "truncated_normal" ("normal" means the same), whose standard
            deviation is corrected for what is cut off; "untruncated_normal"; or
            "uniform", in [-limit, limit) with limit = sqrt(3 scale / n).
        seed: an int; see tf.set_random_seed.
        dtype: a floating DType.
    Raises:
        ValueError: an argument is none of these.
    Example:
        tf.initializers.variance_scaling(2.0)([784, 100])  # float32[784, 100]
    """

    config: tuple[str, ...] = ("scale", "mode", "distribution", "seed", "dtype")

    def __init__(
        self, scale: Any = 1.0, mode: str = "fan_in",
        distribution: str = "truncated_normal", seed: int | None = None,
        dtype: DTypeValue = dtypes.float32,
    ) -> None:  # fmt: skip
        if scale <= 0:
            raise ValueError(f"`scale` must be positive float. Got {scale!r}.")
        _check_choice("mode", mode, ("fan_in", "fan_out", "fan_avg"))
        distribution = distribution.lower()
        _check_choice("distribution", distribution, _DISTRIBUTIONS)
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.seed, self.dtype = seed, floating(dtype)

    def _values(self, shape, dtype, part):
        fan_in, fan_out = fans(_whole(shape, part))
        sizes = {"fan_in": fan_in, "fan_out": fan_out}
        sizes["fan_avg"] = (fan_in + fan_out) / 2
        stddev = math.sqrt(self.scale / max(1.0, sizes[self.mode]))
        return _DISTRIBUTIONS[self.distribution](shape, stddev, dtype, self.seed)


def _scaled_truncated(shape, stddev, dtype, seed):
    return truncated_normal(shape, 0.0, stddev / _TRUNCATED_STDDEV, dtype, seed)


def _scaled_normal(shape, stddev, dtype, seed):
    return random_normal(shape, 0.0, stddev, dtype, seed)


def _scaled_uniform(shape, stddev, dtype, seed):
    limit = math.sqrt(3) * stddev
    return random_uniform(shape, -limit, limit, dtype, seed)


_DISTRIBUTIONS = {
    "truncated_normal": _scaled_truncated,
    "normal": _scaled_truncated,
    "untruncated_normal": _scaled_normal,
    "uniform": _scaled_uniform,
}


def _check_choice(name, value, allowed):
    if value not in allowed:
        raise ValueError(
            f"Invalid `{name}` argument: {value!r}; expected {', '.join(allowed)}."
        )


def fans(shape):
    """The numbers of inputs and outputs of a unit; (..., in, out) for convolutions."""
    if len(shape) < 2:
        n = math.prod(shape)
        return n, n
    field = math.prod(shape[:-2])
    return field * shape[-2], field * shape[-1]


class GlorotUniform(VarianceScaling):
    """Uniform in [-limit, limit), limit = sqrt(6 / (fan_in + fan_out)).

    Reference: Glorot and Bengio, Understanding the difficulty of training deep
    feedforward neural networks (AISTATS 2010), eq. 16.
    """

    config = ("seed", "dtype")

    def __init__(
        self, seed: int | None = None, dtype: DTypeValue = dtypes.float32
    ) -> None:
        super().__init__(1.0, "fan_avg", "uniform", seed, dtype)


class GlorotNormal(VarianceScaling):
    """Truncated normal of variance 2 / (fan_in + fan_out).

    Reference: as GlorotUniform, eq. 12.
    """

    config = ("seed", "dtype")

    def __init__(
        self, seed: int | None = None, dtype: DTypeValue = dtypes.float32
    ) -> None:
        super().__init__(1.0, "fan_avg", "truncated_normal", seed, dtype)


def he_normal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal of variance 2 / fan_in.

    Reference: He et al., Delving deep into rectifiers (ICCV 2015), eq. 10.
    """
    return VarianceScaling(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform in [-limit, limit), limit = sqrt(6 / fan_in); see `he_normal`."""
    return VarianceScaling(2.0, "fan_in", "uniform", seed)


def lecun_normal(seed: int | None = None) -> VarianceScaling:
    """Truncated normal of variance 1 / fan_in.

    Reference: LeCun et al., Efficient backprop (1998), eq. 16.
    """
    return VarianceScaling(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed: int | None = None) -> VarianceScaling:
    """Uniform in [-limit, limit), limit = sqrt(3 / fan_in); see `lecun_normal`."""
    return VarianceScaling(1.0, "fan_in", "uniform", seed)


@bind_first
def _orthogonal_kernel(xp, x):
    q, r = xp.linalg.qr(x)
    return q * xp.sign(xp.diagonal(r))


def _export_orthonormal(parts):
    """q times the signs of r's diagonal, by TensorFlow's own ops."""
    (x,), kind = parts.inputs, parts.node.inputs[0].dtype
    q = parts.add("Qr", "Qr", x, T=kind)
    diagonal = parts.add("DiagPart", "MatrixDiagPart", f"{q}:1", T=kind)
    signs = parts.add("Sign", "Sign", diagonal, T=kind)
    parts.add("", "Mul", q, signs, T=kind)


Orthonormal = define(
    "TwinOrthonormal(x: T) -> (q: T)",
    infer=lambda x: x._shape,
    kernel=_orthogonal_kernel,
    types=FLOAT - {dtypes.float16, dtypes.bfloat16},
    export=_export_orthonormal,
)


class Orthogonal(Initializer):
    """A random orthogonal matrix times `gain`, uniformly distributed.

    The variable as a matrix (all dimensions but the last one are the rows) has
    orthonormal columns, or rows if these are fewer.

    Raises:
        ValueError: the shape has fewer than two dimensions.
    Reference: Saxe et al., Exact solutions to the nonlinear dynamics of learning in
    deep linear neural networks (2013).
    """

    config = ("gain", "seed", "dtype")

    def __init__(
        self, gain: Any = 1.0, seed: int | None = None,
        dtype: DTypeValue = dtypes.float32,
    ) -> None:  # fmt: skip
        self.gain, self.seed, self.dtype = gain, seed, floating(dtype)

    def _values(self, shape, dtype, part):
        if len(shape) < 2:
            raise ValueError(
                "The tensor to initialize must be at least two-dimensional, got shape "
                f"{list(shape)}."
            )
        rows, columns = math.prod(shape[:-1]), shape[-1]
        tall = (max(rows, columns), min(rows, columns))
        x = random_normal(tall, dtype=dtype, seed=self.seed)
        q = apply(Orthonormal, (x,))
        current_mode().leave_ids(-3 if rows < columns else 3)
        if rows < columns:
            q = transpose(q)
        return multiply(reshape(q, shape), self.gain)


class Identity(Initializer):
    """The identity matrix times `gain`.

    Raises:
        ValueError: the shape is not that of a matrix.
    """

    config = ("gain", "dtype")

    def __init__(self, gain: Any = 1.0, dtype: DTypeValue = dtypes.float32) -> None:
        self.gain, self.dtype = gain, floating(dtype)

    def _values(self, shape, dtype, part):
        whole = _whole(shape, part)
        if len(whole) != 2:
            raise ValueError(
                "Identity matrix initializer can only be used for 2D matrices, got "
                f"shape {list(whole)}."
            )
        eye = np.eye(*whole, dtype=dtype.np)
        if part is not None:
            (r, c), (rows, columns) = part.var_offset, shape
            eye = eye[r : r + rows, c : c + columns]
        current_mode().leave_ids(3)
        return constant(eye * dtype.np.type(self.gain), dtype)


_BY_NAME = {
    "zeros": Zeros, "ones": Ones, "constant": Constant,
    "random_uniform": RandomUniform, "random_normal": RandomNormal,
    "truncated_normal": TruncatedNormal, "uniform_unit_scaling": UniformUnitScaling,
    "variance_scaling": VarianceScaling, "glorot_uniform": GlorotUniform,
    "glorot_normal": GlorotNormal, "he_normal": he_normal, "he_uniform": he_uniform,
    "lecun_normal": lecun_normal, "lecun_uniform": lecun_uniform,
    "orthogonal": Orthogonal, "identity": Identity,
}  # fmt: skip
_BY_NAME |= {c.__name__: c for c in _BY_NAME.values() if isinstance(c, type)}


def get(identifier):
    """The initializer that `identifier` names.

    Args:
        identifier: None; a name ("zeros", "Zeros"); a dict with class_name and config;
            or something callable, which is returned as it is.
    Returns:
        An initializer, or None.
    Raises:
        ValueError: there is no such initializer.
    Example:
        tf.keras.initializers.get("zeros")([2])  # [0., 0.]
    """
    if identifier is None or (
        callable(identifier) and not isinstance(identifier, str | dict)
    ):
        return identifier
    config = {}
    name = identifier
    if isinstance(identifier, dict):
        name, config = identifier.get("class_name"), identifier.get("config", {})
    if name not in _BY_NAME:
        raise ValueError(
            f"Could not interpret initializer identifier: {identifier!r}. Expected a "
            f"callable, or one of {', '.join(sorted(_BY_NAME))}."
        )
    return _BY_NAME[name](**config)
