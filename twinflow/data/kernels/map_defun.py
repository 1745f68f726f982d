"""MapDefun: a function of a GraphDef's library on the rows of tensors."""

import numpy as np

from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.data.pipeline.stages import row, stacked
from twinflow.execute.call import program_of
from twinflow.execute.library_graph import graph_of
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET


def _shapes(arguments, output_types, output_shapes, f):
    rows = next((t._shape[0] for t in arguments if t._shape), None)
    return [None if s is None else (rows, *s) for s in output_shapes]


def _mapped(arguments, output_types, output_shapes, f):
    count = _rows(arguments)
    if not count:
        fixed = [tuple(n or 0 for n in s or ()) for s in output_shapes]
        pairs = zip(fixed, output_types, strict=True)
        return [np.empty((0, *s), dtype.np) for s, dtype in pairs]
    graph = graph_of(f)
    plan = Plan(program_of(graph, graph.outputs), lambda cell: cell, INTERPRET)
    rows = ([row(a, i) for a in arguments] for i in range(count))
    return stacked([list(map(np.asarray, plan.run(r))) for r in rows])


def _rows(arguments):
    """How many rows all arguments have."""
    if any(np.ndim(a) == 0 for a in arguments):
        raise invalid("All inputs must have rank at least 1.")
    counts = {len(a) for a in arguments}
    if len(counts) > 1:
        raise invalid("All inputs must have the same dimension 0.")
    return counts.pop() if counts else 0


MapDefun = define("MapDefun", infer=_shapes, host=_mapped)
