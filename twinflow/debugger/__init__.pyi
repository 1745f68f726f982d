# Made by `make stubs` from the table of the index.
from twinflow.capsules.recording import capsule as capsule
from twinflow.debugger.control import breakpoint as breakpoint
from twinflow.debugger.control import debug as debug
from twinflow.debugger.control import post_mortem as post_mortem
from twinflow.debugger.line_events import lines as lines

__all__ = [
"capsule", "breakpoint", "debug", "post_mortem", "lines"
]
