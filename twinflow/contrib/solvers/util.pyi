# Made by `make stubs` from the table of the index.
from twinflow.contrib.solvers.operators import create_operator as create_operator
from twinflow.contrib.solvers.operators import dot as dot
from twinflow.contrib.solvers.operators import identity_operator as identity_operator
from twinflow.contrib.solvers.operators import l2norm as l2norm
from twinflow.contrib.solvers.operators import l2norm_squared as l2norm_squared
from twinflow.contrib.solvers.operators import l2normalize as l2normalize

__all__ = [
"create_operator", "dot", "identity_operator", "l2norm", "l2norm_squared", "l2normalize"
]
