# Made by `make stubs` from the table of the index.
from twinflow.contrib.solvers.conjugate_gradients import conjugate_gradient as conjugate_gradient

__all__ = [
"conjugate_gradient"
]
