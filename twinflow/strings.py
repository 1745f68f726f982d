"""tf.strings: operations on string tensors."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.debugging.print: format=string_format
twinflow.ops.strings.basic: join=string_join strip=string_strip substr
twinflow.ops.strings.basic: length=string_length reduce_join
twinflow.ops.strings.split: split=string_split_v2
twinflow.ops.strings.rewrite: regex_replace regex_full_match
twinflow.ops.strings.hash: to_hash_bucket=string_to_hash_bucket
twinflow.ops.strings.hash: to_hash_bucket_fast=string_to_hash_bucket_fast
twinflow.ops.strings.hash: to_hash_bucket_strong=string_to_hash_bucket_strong
twinflow.ops.strings.number: to_number=string_to_number
twinflow.ops.strings.script: unicode_script
""",
)
