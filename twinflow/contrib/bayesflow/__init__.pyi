# Made by `make stubs` from the table of the index.
from twinflow.contrib.bayesflow import monte_carlo as monte_carlo

__all__ = [
"monte_carlo"
]
