# Made by `make stubs` from the table of the index.
from twinflow.ops.math.bitwise import bitwise_and as bitwise_and
from twinflow.ops.math.bitwise import bitwise_or as bitwise_or
from twinflow.ops.math.bitwise import bitwise_xor as bitwise_xor
from twinflow.ops.math.bitwise import invert as invert
from twinflow.ops.math.bitwise import left_shift as left_shift
from twinflow.ops.math.bitwise import right_shift as right_shift
