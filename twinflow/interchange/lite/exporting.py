"""GraphDefs as models of TensorFlow Lite."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from twinflow.base.op_lookup import known_op
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.graph.program import build
from twinflow.interchange.lite.flatten import Flat
from twinflow.interchange.lite.fusing import fuse
from twinflow.interchange.lite.model import Model
from twinflow.interchange.lite.unknown import replaced
from twinflow.interchange.lite.writer import Writer
from twinflow.interchange.lite.writing.table import WRITERS


class Wishes(NamedTuple):
    """What a model shall be like; see tf.contrib.lite.TFLiteConverter.

    Args:
        is_quantized: whole numbers of 8 bits in place of floats. statistics: (mean,
            standard deviation) of each input. ranges: (min, max) of what has none.
        small_weights: weights of 8 bits alone. custom: ops that nobody knows may stay.
        drawn: the text of a graph for Graphviz in place of a file.
    """

    is_quantized: bool = False
    quantized_inputs: bool = False
    statistics: Sequence | None = None
    ranges: tuple | None = None
    small_weights: bool = False
    custom: bool = False
    drawn: bool = False


def export(
    graph_def: Any, inputs: Sequence, outputs: Sequence, wishes: Wishes = Wishes(),
    source: Any = None,
) -> bytes:  # fmt: skip
    """A GraphDef without variables as a model.

    Args:
        graph_def: the GraphDef. inputs: (name, shape) of each. outputs: their names.
        source: the graph of which it was made, for errors, or None.
    Raises:
        UnimplementedError: an op has no counterpart; the error names the op, the node
            and the line that made it.
    """
    model = _model(graph_def, inputs, outputs, wishes, source)
    fuse(model)
    return model.drawing() if wishes.drawn else model.content()


def _model(
    graph_def: Any, inputs: Sequence, outputs: Sequence, wishes: Wishes, source: Any
) -> Model:
    if wishes.custom:
        graph_def = replaced(graph_def, known_op)
    with Graph().as_default() as graph:
        import_graph_def(graph_def, name="")
    ins = [graph.as_graph_element(_tensor(n), allow_operation=False) for n, _ in inputs]
    outs = [graph.as_graph_element(_tensor(n), allow_operation=False) for n in outputs]
    flat = Flat(source)
    fed = [flat.input(t, shape) for t, (_, shape) in zip(ins, inputs)]
    flat.run(build(graph, outs, (), ins))
    writer = Writer(WRITERS, flat, wishes.custom)
    names = [name.partition(":")[0] for name in outputs]
    return writer.run(fed, [flat.values[t] for t in outs], names)


def _tensor(name: str) -> str:
    return name if ":" in name else f"{name}:0"
