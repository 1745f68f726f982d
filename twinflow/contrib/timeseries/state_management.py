"""How states go from one batch to the next while a model is trained."""

from typing import Any

from twinflow.base import nest
from twinflow.base.dtypes import int64
from twinflow.base.operators import TensorValue
from twinflow.contrib.timeseries.feature_keys import FilteringFeatures
from twinflow.contrib.timeseries.matrices import batch_start_time, replicate_state
from twinflow.estimator.model_fn import ModeKeys
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.arrays.boolean_mask import boolean_mask
from twinflow.ops.core.compare import equal, where
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_prod
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.tables.initialized import LookupInterface
from twinflow.ops.tables.mutable import MutableDenseHashTable

_TIMES, _STATE = FilteringFeatures.TIMES, FilteringFeatures.STATE_TUPLE


class PassthroughStateManager:
    """Starts each window from the start, or from a state that is a feature."""

    def __init__(self) -> None:
        self._input_statistics: Any = None
        self._graph_initialized = False

    def initialize_graph(self, model: Any, input_statistics: Any = None) -> None:
        """Make what is needed in a graph.

        Args:
            model: a TimeSeriesModel, initialized. input_statistics: InputStatistics.
        """
        self._graph_initialized = True
        self._input_statistics = input_statistics

    def define_loss(self, model: Any, features: dict, mode: str) -> Any:
        """The ModelOutputs of a batch.

        Args:
            model: a TimeSeriesModel. features: dict of tensors, [batch, window, ...];
                `start_tuple` is a state before. mode: a ModeKeys.
        """
        state = features.get(_STATE)
        if state is None:
            return model.define_loss(features, mode)
        return model.get_batch_loss(features, mode, state)


class FilteringOnlyStateManager(PassthroughStateManager):
    """For models of windows, which take states only to filter and to predict."""


class ChainingStateManager(PassthroughStateManager):
    """Starts windows from the states in which earlier batches left off.

    Time is cut into chunks; the state before each is kept, and is where a window that
    begins in the chunk starts from, moved to its first time.

    Args:
        state_saving_interval: int, the times of a chunk.
        checkpoint_state: whether states are saved with variables.
    """

    def __init__(
        self, state_saving_interval: int = 20, checkpoint_state: bool = False
    ) -> None:
        super().__init__()
        self._interval, self._saved = state_saving_interval, checkpoint_state
        self._start: Any = None
        self._cached: Any = None

    def initialize_graph(self, model: Any, input_statistics: Any = None) -> None:
        """See PassthroughStateManager."""
        super().initialize_graph(model, input_statistics)
        self._start = model.get_start_state()
        self._cached = TupleOfTensorsLookup(
            key_dtype=int64, default_values=self._start, empty_key=-1,
            name="cached_states", checkpoint=self._saved,
        )  # fmt: skip

    def define_loss(self, model: Any, features: dict, mode: str) -> Any:
        """See PassthroughStateManager."""
        if mode != ModeKeys.TRAIN or _STATE in features:
            return super().define_loss(model, features, mode)
        if not self._graph_initialized:
            raise ValueError("ChainingStateManager requires initialize_graph() first.")
        return self._chained(model, features, mode)

    def _chunk(self, times):
        return times // self._interval

    def _states_of(self, times):
        """The state before each window; the start of the series in its first chunk."""
        chunks = self._chunk(batch_start_time(times))
        cached = self._cached.lookup(chunks)
        fresh = replicate_state(self._start, shape(chunks)[0])
        first = 0
        if self._input_statistics is not None:
            first = self._chunk(self._input_statistics.start_time)
        at_start = equal(chunks, first)
        return nest.map_structure(lambda a, b: where(at_start, a, b), fresh, cached)

    def _chained(self, model, features, mode):
        times = convert_to_tensor(features[_TIMES], int64)
        state = self._states_of(times)
        states, steps = model.per_step_batch_loss(features, mode, state)
        outputs = model.outputs_of(features, mode, states, steps)
        with control_dependencies([self._kept(times, states)]):
            return outputs._replace(loss=identity(outputs.loss))

    def _kept(self, times, states):
        """An op that keeps the last state of each chunk, for the next one."""
        chunk = self._chunk(times)
        after = concat([chunk[:, 1:], chunk[:, -1:] + 1], axis=1)
        last = after > chunk
        key = boolean_mask(maximum(after, chunk + 1), last)
        values = nest.map_structure(lambda x: boolean_mask(x, last), states)
        return self._cached.insert(key, values)


class TupleOfTensorsLookup(LookupInterface):
    """A table from keys to structures of tensors: a table for each of them.

    Args:
        key_dtype: of the keys. default_values: structure of tensors, of other keys.
        empty_key: a key that is never used. name: of the tables, which `_0` and so on
            follow. checkpoint: whether the tables are saved with variables.
    """

    def __init__(
        self, key_dtype: Any, default_values: Any, empty_key: Any, name: str,
        checkpoint: bool = True,
    ) -> None:  # fmt: skip
        self._default = default_values
        self._tables = [
            MutableDenseHashTable(
                key_dtype=key_dtype, value_dtype=value.dtype,
                default_value=reshape(value, [-1]), empty_key=empty_key,
                name=f"{name}_{number}", checkpoint=checkpoint,
            )
            for number, value in enumerate(nest.flatten(default_values))
        ]  # fmt: skip

    def lookup(self, keys: TensorValue) -> Any:
        """The values of keys, in the structure of the default, [keys, ...].

        Args:
            keys: [keys].
        """
        found = []
        for default, table in zip(nest.flatten(self._default), self._tables):
            rows = table.lookup(keys)
            size = concat([shape(keys), shape(default)], 0)
            rows = reshape(rows, size)
            rows.set_shape([None, *default.shape.as_list()])
            found.append(rows)
        return nest.pack_sequence_as(self._default, found)

    def insert(self, keys: TensorValue, values: Any) -> Any:
        """An op that sets the values of keys.

        Args:
            keys: [keys]. values: structure of tensors, [keys, ...].
        """
        ops = []
        for value, table in zip(nest.flatten(values), self._tables):
            flat = reshape(value, [shape(keys)[0], reduce_prod(shape(value)[1:])])
            ops.append(table.insert(keys, flat))
        return group(*ops)

    def check_table_dtypes(self, key_dtype: Any, value_dtype: Any) -> None:
        """Nothing: the tables check for themselves.

        Args:
            key_dtype, value_dtype: ignored.
        """
