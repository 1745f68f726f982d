"""tf.strings: operations on string tensors."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.print: format=string_format
twinflow.ops.string_basic: join=string_join strip=string_strip substr
twinflow.ops.string_basic: length=string_length reduce_join
twinflow.ops.string_split: split=string_split_v2
twinflow.ops.string_regex: regex_replace regex_full_match
twinflow.ops.string_hash: to_hash_bucket=string_to_hash_bucket
twinflow.ops.string_hash: to_hash_bucket_fast=string_to_hash_bucket_fast
twinflow.ops.string_hash: to_hash_bucket_strong=string_to_hash_bucket_strong
twinflow.ops.string_number: to_number=string_to_number
twinflow.ops.string_script: unicode_script
""",
)
