"""Ops on strings that parts of tf.contrib and tf.user_ops had."""

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.tensor import Tensor
from twinflow.ops.core.fingerprint import murmur64
from twinflow.ops.core.infer import same, scalar
from twinflow.ops.strings.arrays import flat

_SEED = 0xC70F6907


def _hashed(input_data):
    """The float next to the hash that libstdc++ has for each string."""
    found = murmur64(flat(input_data), _SEED).astype(np.float32)
    return found.reshape(np.shape(input_data))


ReinterpretStringToFloat = define("ReinterpretStringToFloat", same, host=_hashed)
Fact = define("Fact", scalar, host=lambda: np.asarray(b"0! == 1", object))


def my_fact() -> Tensor:
    """A fact about factorials.

    Returns:
        string[]
    Example:
        tf.user_ops.my_fact()  # b"0! == 1"
    """
    return apply(Fact, ())
