"""The decoder of a cell and a helper."""

from typing import Any, NamedTuple

from twinflow.base import nest
from twinflow.base.shapes import TensorShape
from twinflow.contrib.seq2seq.decoder import Decoder
from twinflow.contrib.seq2seq.helper import Helper
from twinflow.graph.scopes import name_scope
from twinflow.keras.engine.base_layer import Layer
from twinflow.rnn.cells.base import assert_like_rnncell


class BasicDecoderOutput(NamedTuple):
    """The outputs of BasicDecoder: of the cell (or layer), and the samples of them."""

    rnn_output: Any
    sample_id: Any


def check_layer(output_layer):
    """Refuse what is neither None nor a layer."""
    if output_layer is not None and not isinstance(output_layer, Layer):
        found = type(output_layer)
        raise TypeError(f"output_layer must be a Layer, received: {found}")


def size_behind(cell, layer):
    """The size of the outputs of a cell, or of the layer behind it."""
    if layer is None:
        return cell.output_size
    whole = nest.map_structure(
        lambda size: TensorShape([None]).concatenate(size), cell.output_size
    )
    found = layer.compute_output_shape(whole)
    return nest.map_structure(lambda shape: shape[1:], found)


class BasicDecoder(Decoder):
    """A cell that reads what a helper gives.

    Args:
        cell: an RNNCell. helper: a Helper. initial_state: the first state of the cell.
        output_layer: a tf.layers.Layer behind the cell, e.g. tf.layers.Dense.
    Raises:
        TypeError: one of them is something else.
    """

    def __init__(
        self, cell: Any, helper: Any, initial_state: Any, output_layer: Any = None
    ) -> None:
        assert_like_rnncell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError(f"helper must be a Helper, received: {type(helper)}")
        check_layer(output_layer)
        self._cell, self._helper = cell, helper
        self._initial_state, self._output_layer = initial_state, output_layer

    batch_size = property(lambda self: self._helper.batch_size)

    def _rnn_output_size(self):
        return size_behind(self._cell, self._output_layer)

    @property
    def output_size(self) -> Any:
        """BasicDecoderOutput of sizes."""
        shape = self._helper.sample_ids_shape
        return BasicDecoderOutput(self._rnn_output_size(), shape)

    @property
    def output_dtype(self) -> Any:
        """BasicDecoderOutput of DTypes; outputs have that of the first state."""
        dtype = nest.flatten(self._initial_state)[0].dtype
        kinds = nest.map_structure(lambda _: dtype, self._rnn_output_size())
        return BasicDecoderOutput(kinds, self._helper.sample_ids_dtype)

    def initialize(self, name: str | None = None) -> Any:
        """(finished, first inputs, first state)"""
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """One step of the cell; see Decoder."""
        with name_scope(name, "BasicDecoderStep", [time]):
            outputs, state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            ids = self._helper.sample(time=time, outputs=outputs, state=state)
            finished, inputs, state = self._helper.next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=ids
            )
        return BasicDecoderOutput(outputs, ids), state, inputs, finished
