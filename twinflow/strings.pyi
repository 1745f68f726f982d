# Made by `make stubs` from the table of the index.
from twinflow.ops.debugging.print import string_format as format
from twinflow.ops.strings.basic import string_join as join
from twinflow.ops.strings.basic import string_strip as strip
from twinflow.ops.strings.basic import substr as substr
from twinflow.ops.strings.basic import string_length as length
from twinflow.ops.strings.basic import reduce_join as reduce_join
from twinflow.ops.strings.split import string_split_v2 as split
from twinflow.ops.strings.rewrite import regex_replace as regex_replace
from twinflow.ops.strings.rewrite import regex_full_match as regex_full_match
from twinflow.ops.strings.hash import string_to_hash_bucket as to_hash_bucket
from twinflow.ops.strings.hash import string_to_hash_bucket_fast as to_hash_bucket_fast
from twinflow.ops.strings.hash import string_to_hash_bucket_strong as to_hash_bucket_strong
from twinflow.ops.strings.number import string_to_number as to_number
from twinflow.ops.strings.script import unicode_script as unicode_script

__all__ = [
"format", "join", "strip", "substr", "length", "reduce_join", "split", "regex_replace",
"regex_full_match", "to_hash_bucket", "to_hash_bucket_fast", "to_hash_bucket_strong",
"to_number", "unicode_script"
]
