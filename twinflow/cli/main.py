"""`python -m twinflow`: the same command line as the script `twinflow`."""

from twinflow_terminal.main import main

__all__ = ["main"]
