# Made by `make stubs` from the table of the index.
from twinflow.contrib.tfprof import model_analyzer as model_analyzer
from twinflow.profiler import op_log as tfprof_logger
from twinflow.profiler.contexts import ProfileContext as ProfileContext

__all__ = [
"model_analyzer", "tfprof_logger", "ProfileContext"
]
