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
from twinflow.interchange.lite.quantizing import (
    dequantize_inputs,
    quantize,
    shrink,
)
from twinflow.interchange.lite.unknown import replaced
from twinflow.interchange.lite.writer import Writer
from twinflow.interchange.lite.writing.table import WRITERS


class Wishes(NamedTuple):
    """What a model shall be like; see tf.contrib.lite.TFLiteConverter.

    Args:
        is_quantized: whole numbers of 8 bits in place of floats. quantized_inputs: of
            inputs. statistics: (mean, standard deviation) of each input, or None.
        ranges: (min, max) of what has none.
        one_range: of all that is concatenated. small_weights: weights of 8 bits alone.
        custom: ops that nobody knows may stay.
    """

    is_quantized: bool = False
    quantized_inputs: bool = False
    statistics: Sequence = ()
    ranges: tuple | None = None
    one_range: bool = False
    small_weights: bool = False
    custom: bool = False


_PLAIN = Wishes()


class Drawings(list):
    """Drawings of a model for Graphviz: as it is read, and as it is written."""

    @property
    def last(self) -> bytes:
        """The model as it is written."""
        return self[-1]


def export(
    graph_def: Any, inputs: Sequence, outputs: Sequence, wishes: Wishes = _PLAIN,
    source: Any = None, drawings: Drawings | None = None,
) -> bytes:  # fmt: skip
    """A GraphDef without variables as a model.

    Args:
        graph_def: the GraphDef. inputs: (name, shape) of each. outputs: their names.
        source: the graph of which it was made, for errors, or None. drawings: takes
            them.
    Raises:
        UnimplementedError: an op has no counterpart; the error names the op, the node
            and the line that made it.
    """
    model = _model(graph_def, inputs, outputs, wishes, source)
    if drawings is not None:
        drawings.append(model.drawing())
    fuse(model)
    _in_whole_numbers(model, wishes)
    if drawings is not None:
        drawings.append(model.drawing())
    return model.content()


def _in_whole_numbers(model: Model, wishes: Wishes) -> None:
    """Quantize a model as far as that is wished."""
    if wishes.is_quantized:
        quantize(
            model, wishes.statistics, wishes.ranges, wishes.quantized_inputs,
            wishes.one_range,
        )  # fmt: skip
    elif wishes.quantized_inputs:
        dequantize_inputs(model, wishes.statistics)
    if wishes.small_weights:
        shrink(model)


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
