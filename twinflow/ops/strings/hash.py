"""Strings to buckets by their hash."""

from typing import Any

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.fingerprint import farm64, murmur64, sip64
from twinflow.ops.core.infer import attr_at_least
from twinflow.ops.strings.arrays import flat


def _buckets(hashed, like, num_buckets):
    found = hashed % np.uint64(num_buckets)
    return found.view(np.int64).reshape(np.shape(like))


def _murmur_kernel(string_tensor, num_buckets):
    return _buckets(murmur64(flat(string_tensor)), string_tensor, num_buckets)


def _farm_kernel(input, num_buckets):
    return _buckets(farm64(input), input, num_buckets)


def _sip_kernel(input, num_buckets, key):
    return _buckets(sip64(flat(input), key), input, num_buckets)


def _infer_hash(kind):
    def infer(input, num_buckets):
        attr_at_least(1, kind, "num_buckets", num_buckets)
        return input._shape

    return infer


def _infer_strong(input, num_buckets, key):
    attr_at_least(1, "StringToHashBucketStrong", "num_buckets", num_buckets)
    if len(key) != 2:
        raise InferError("Key must have 2 elements", later=True)
    return input._shape


StringToHashBucket, StringToHashBucketFast = (
    define(kind, infer=_infer_hash(kind), host=kernel)
    for kind, kernel in (
        ("StringToHashBucket", _murmur_kernel),
        ("StringToHashBucketFast", _farm_kernel),
    )
)
StringToHashBucketStrong = define(
    "StringToHashBucketStrong", infer=_infer_strong, host=_sip_kernel
)


def string_to_hash_bucket_fast(
    input: TensorValue, num_buckets: Any, name: str | None = None
) -> Tensor:
    """A number in [0, num_buckets) for each string: its FarmHash modulo num_buckets.

    Args:
        input: a string tensor. num_buckets: an int >= 1.
        name: the name of the node in a graph.
    Returns:
        int64 of the same shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no bucket.
    Example:
        tf.strings.to_hash_bucket_fast(["a", "b"], 100)  # [39, 22]
    """
    attrs = {"num_buckets": int(num_buckets)}
    return apply(StringToHashBucketFast, (input,), attrs, name)


def string_to_hash_bucket(
    string_tensor: Any, num_buckets: Any, name: str | None = None
) -> Any:
    """As tf.strings.to_hash_bucket_fast, with the hash of the first versions."""
    attrs = {"num_buckets": int(num_buckets)}
    return apply(StringToHashBucket, (string_tensor,), attrs, name)


def string_to_hash_bucket_strong(
    input: TensorValue, num_buckets: Any, key: Any, name: str | None = None
) -> Any:
    """As tf.strings.to_hash_bucket_fast, with SipHash, which needs a secret key.

    Nobody who does not know the key can make up strings that share a bucket.

    Args:
        input: a string tensor. num_buckets: an int >= 1. key: two ints.
        name: the name of the node in a graph.
    """
    attrs = {"num_buckets": int(num_buckets), "key": tuple(map(int, key))}
    return apply(StringToHashBucketStrong, (input,), attrs, name)
