# Made by `make stubs` from the table of the index.
from twinflow.debugger.control import breakpoint as breakpoint
from twinflow.debugger.control import debug as debug
from twinflow.debugger.control import post_mortem as post_mortem

__all__ = [
"breakpoint", "debug", "post_mortem"
]
