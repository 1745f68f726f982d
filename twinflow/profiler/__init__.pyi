# Made by `make stubs` from the table of the index.
from twinflow.profiler.analyzer import Profiler as Profiler
from twinflow.profiler.analyzer import profile as profile
from twinflow.profiler.analyzer import advise as advise
from twinflow.profiler.options import ProfileOptionBuilder as ProfileOptionBuilder
from twinflow.profiler.op_log import write_op_log as write_op_log
from twinflow.formats.profile_protos import GraphNodeProto as GraphNodeProto
from twinflow.formats.profile_protos import MultiGraphNodeProto as MultiGraphNodeProto
from twinflow.formats.profile_protos import AdviceProto as AdviceProto
from twinflow.formats.profile_protos import OpLogProto as OpLogProto

__all__ = [
"Profiler", "profile", "advise", "ProfileOptionBuilder", "write_op_log",
"GraphNodeProto", "MultiGraphNodeProto", "AdviceProto", "OpLogProto"
]
