# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.ops.print import string_format as format
from twinflow.ops.string_basic import string_join as join
from twinflow.ops.string_basic import string_strip as strip
from twinflow.ops.string_basic import substr as substr
from twinflow.ops.string_basic import string_length as length
from twinflow.ops.string_basic import reduce_join as reduce_join
from twinflow.ops.string_split import string_split_v2 as split
from twinflow.ops.string_regex import regex_replace as regex_replace
from twinflow.ops.string_regex import regex_full_match as regex_full_match
from twinflow.ops.string_hash import string_to_hash_bucket as to_hash_bucket
from twinflow.ops.string_hash import string_to_hash_bucket_fast as to_hash_bucket_fast
from twinflow.ops.string_hash import string_to_hash_bucket_strong as to_hash_bucket_strong
from twinflow.ops.string_number import string_to_number as to_number
from twinflow.ops.string_script import unicode_script as unicode_script
