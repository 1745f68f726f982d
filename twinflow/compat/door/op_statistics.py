"""tensorflow.python.framework.ops: statistics of nodes, by functions of the program."""

from twinflow.formats import protos
from twinflow.profiler import flops  # noqa: F401 - registers those of TensorFlow's ops
from twinflow.profiler.statistics import (  # noqa: F401 - TensorFlow has them here
    OpStats,
    RegisterStatistics,
    _stats_registry,
    get_stats_for_node_def,
)


def _NodeDef(op_type, name, device=None, attrs=None):
    node = protos.NodeDef(op=op_type, name=name, device=device or "")
    for key, value in (attrs or {}).items():
        node.attr[key].CopyFrom(value)
    return node
