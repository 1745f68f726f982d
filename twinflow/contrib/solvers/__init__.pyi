# Made by `make stubs` from the table of the index.
from twinflow.contrib.solvers import lanczos as lanczos
from twinflow.contrib.solvers import least_squares as least_squares
from twinflow.contrib.solvers import linear_equations as linear_equations
from twinflow.contrib.solvers import util as util

__all__ = [
"lanczos", "least_squares", "linear_equations", "util"
]
