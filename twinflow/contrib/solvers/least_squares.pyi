# Made by `make stubs` from the table of the index.
from twinflow.contrib.solvers.conjugate_gradients import cgls as cgls

__all__ = [
"cgls"
]
