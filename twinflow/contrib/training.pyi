# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.contrib.hparam import HParams as HParams
from twinflow.contrib.hparam import parse_values as parse_values
