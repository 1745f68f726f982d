# Made by `make stubs` from the table of the index.
from twinflow.ops.random.stateless import stateless_multinomial as stateless_multinomial
from twinflow.ops.random.stateless import stateless_random_normal as stateless_random_normal
from twinflow.ops.random.stateless import stateless_random_uniform as stateless_random_uniform
from twinflow.ops.random.stateless import stateless_truncated_normal as stateless_truncated_normal

__all__ = [
"stateless_multinomial", "stateless_random_normal", "stateless_random_uniform",
"stateless_truncated_normal"
]
