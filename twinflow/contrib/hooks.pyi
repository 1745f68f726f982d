# Made by `make stubs` from the table of the index.
from twinflow.train.profiler_hook import ProfilerHook as ProfilerHook

__all__ = [
"ProfilerHook"
]
