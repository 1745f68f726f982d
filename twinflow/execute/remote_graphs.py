"""RemoteFusedGraphExecute: a GraphDef that an attribute holds, as one op.

In TensorFlow 1.12 an executor, which a plugin brings, runs the graph on its processor;
without any, the results are what happens to lie in the memory. Here the interpreter is
the executor, whichever name is asked for.
"""

import functools
from typing import Any

import numpy as np

from twinflow.base import dispatch
from twinflow.base.dtypes import as_dtype
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.eager.mode import MODE
from twinflow.execute.call import program_of
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET
from twinflow.formats.protos import RemoteFusedGraphExecuteInfo
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.graph_def.import_def import import_graph_def


@functools.lru_cache(maxsize=16)
def _plan(serialized: bytes, types: tuple) -> Plan:
    """What runs a graph on inputs of some dtypes."""
    info = RemoteFusedGraphExecuteInfo.FromString(serialized)
    names, outputs = info.graph_input_node_name, list(info.graph_output_node_name)
    if len(names) != len(types):
        raise invalid(f"The graph takes {len(names)} inputs, got {len(types)}")
    graph = FuncGraph("remote_fused_graph", MODE)
    with dispatch.entered(graph), dispatch.tapes_paused():
        given = {name: graph.add_input(t, None, "x") for name, t in zip(names, types)}
        ends = [name if ":" in name else f"{name}:0" for name in outputs]
        found = import_graph_def(info.remote_graph, given, ends, name="graph")
        graph.outputs.extend(found)
    return Plan(program_of(graph, graph.outputs), lambda cell: cell, INTERPRET)


def _run(
    inputs: Any, Toutputs: Any, serialized_remote_fused_graph_execute_info: bytes,
    Tinputs: Any = (),
) -> list:  # fmt: skip
    types = tuple(as_dtype(np.asarray(x).dtype) for x in inputs)
    plan = _plan(serialized_remote_fused_graph_execute_info, types)
    return list(map(np.asarray, plan.run(list(inputs))))


def _unknown(inputs: Any, Toutputs: Any, **attrs: Any) -> list:
    return [None] * len(Toutputs)


RemoteFusedGraphExecute = define("RemoteFusedGraphExecute", infer=_unknown, host=_run)
