"""tf.keras.initializers: those of tf.initializers, some with other defaults."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.keras.saving.config import CUSTOM, serialized
from twinflow.ops.random import initializers as ops
from twinflow.ops.random import initializers_plain as plain


class RandomUniform(plain.RandomUniform):
    """Uniform in [minval, maxval), by default [-0.05, 0.05)."""

    def __init__(
        self, minval: TensorValue = -0.05, maxval: TensorValue = 0.05,
        seed: int | None = None, dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__(minval, maxval, seed, dtype)


class RandomNormal(plain.RandomNormal):
    """Normal, by default with mean 0 and standard deviation 0.05."""

    def __init__(
        self, mean: TensorValue = 0.0, stddev: TensorValue = 0.05,
        seed: int | None = None, dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__(mean, stddev, seed, dtype)


class TruncatedNormal(plain.TruncatedNormal):
    """Normal without what is further than two standard deviations from the mean."""

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None,
        dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__(mean, stddev, seed, dtype)


Initializer = plain.Initializer
Zeros, Ones, Constant, Identity = ops.Zeros, ops.Ones, ops.Constant, ops.Identity
Orthogonal, VarianceScaling = ops.Orthogonal, ops.VarianceScaling
zeros, ones, constant, identity = Zeros, Ones, Constant, Identity
orthogonal, glorot_uniform, glorot_normal = (
    Orthogonal,
    ops.GlorotUniform,
    ops.GlorotNormal,
)
uniform = random_uniform = RandomUniform
normal = random_normal = RandomNormal
truncated_normal = TruncatedNormal
he_normal, he_uniform = ops.he_normal, ops.he_uniform
lecun_normal, lecun_uniform = ops.lecun_normal, ops.lecun_uniform

_CLASSES = {
    c.__name__: c
    for c in (
        ops.Zeros, ops.Ones, ops.Constant, RandomUniform, RandomNormal,
        TruncatedNormal, ops.VarianceScaling, ops.GlorotUniform, ops.GlorotNormal,
        ops.Orthogonal, ops.Identity,
    )
}  # fmt: skip
_BY_NAME = _CLASSES | {
    "zero": ops.Zeros, "zeros": ops.Zeros, "one": ops.Ones, "ones": ops.Ones,
    "constant": ops.Constant, "uniform": RandomUniform, "normal": RandomNormal,
    "random_uniform": RandomUniform, "random_normal": RandomNormal,
    "truncated_normal": TruncatedNormal, "glorot_uniform": ops.GlorotUniform,
    "glorot_normal": ops.GlorotNormal, "he_normal": ops.he_normal,
    "he_uniform": ops.he_uniform, "lecun_normal": ops.lecun_normal,
    "lecun_uniform": ops.lecun_uniform, "orthogonal": ops.Orthogonal,
    "identity": ops.Identity,
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The initializer that `identifier` names.

    Args:
        identifier: None, a name, a dict with class_name and config, or a function.
    Raises:
        ValueError: there is no such initializer.
    """
    if identifier is None or (
        callable(identifier) and not isinstance(identifier, type)
    ):
        return identifier
    if isinstance(identifier, type):
        return identifier()
    config = {}
    if isinstance(identifier, dict):
        identifier, config = identifier["class_name"], identifier.get("config", {})
    if not isinstance(identifier, str):
        raise ValueError(f"Could not interpret initializer identifier: {identifier!r}")
    found = _BY_NAME.get(identifier) or CUSTOM.get(identifier)
    if found is None:
        raise ValueError(f"Unknown initializer: {identifier}")
    return found(**config)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """An initializer from what `serialize` gave; of a name, its class."""
    known = custom_objects or {}
    if isinstance(config, str):
        found = {**_BY_NAME, **CUSTOM, **known}.get(config)
        if found is None:
            raise ValueError(f"Unknown initializer:{config}")
        return found
    found = known.get(config["class_name"])
    return found.from_config(config["config"]) if found else get(config)


def serialize(initializer: Any) -> Any:
    """An initializer as a dict of its class and settings."""
    return serialized(initializer)
