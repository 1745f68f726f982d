# Made by `make stubs` from the table of the index.
from twinflow.contrib.integrate.adaptive import odeint as odeint
from twinflow.contrib.integrate.fixed import odeint_fixed as odeint_fixed

__all__ = [
"odeint", "odeint_fixed"
]
