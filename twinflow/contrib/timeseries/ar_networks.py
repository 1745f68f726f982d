"""The networks of autoregressive models."""

from typing import Any

from twinflow.contrib.rnn.blocks import LSTMBlockFusedCell
from twinflow.keras.engine.model import Model
from twinflow.keras.engine.sequential import Sequential
from twinflow.keras.layers.core import Dense
from twinflow.keras.layers.reshaping import Flatten
from twinflow.ops.core.elementwise import exp
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.transposing import transpose
from twinflow.ops.nn.activation import relu


class FlatPredictionModel(Model):
    """Dense layers of all that is in a window.

    Args:
        num_features: int, of the values. input_window_size, output_window_size: ints.
        hidden_layer_sizes: list of ints.
    """

    def __init__(
        self, num_features: int, input_window_size: int, output_window_size: int,
        hidden_layer_sizes: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._flatten = Flatten()
        self._shape = (output_window_size, num_features)
        self._hidden = [
            Dense(size, activation=relu) for size in hidden_layer_sizes or []
        ]
        self._hidden_layers = Sequential(self._hidden) if self._hidden else None
        width = output_window_size * num_features
        self._mean_transform = Dense(width, name="predicted_mean")
        self._covariance_transform = Dense(width, name="log_sigma_square")

    def call(self, input_window_features: Any, output_window_features: Any) -> dict:
        """dict of mean and covariance, float[batch, output_window, features].

        Args:
            input_window_features: float[batch, input_window, n].
            output_window_features: float[batch, output_window, m].
        """
        parts = [self._flatten(output_window_features)]
        if input_window_features.shape[1].value != 0:
            parts.insert(0, self._flatten(input_window_features))
        found = concat(parts, 1)
        if self._hidden_layers is not None:
            found = self._hidden_layers(found)
        size = [-1, *self._shape]
        return {
            "mean": reshape(self._mean_transform(found), size),
            "covariance": reshape(exp(self._covariance_transform(found)), size),
        }


class LSTMPredictionModel(Model):
    """An LSTM that reads the past, and one that writes what comes.

    Args:
        num_features, input_window_size, output_window_size: see FlatPredictionModel.
        num_units: int, of each LSTM.
    """

    def __init__(
        self, num_features: int, input_window_size: int, output_window_size: int,
        num_units: int = 128,
    ) -> None:  # fmt: skip
        super().__init__()
        self._encoder = LSTMBlockFusedCell(num_units, name="encoder")
        self._decoder = LSTMBlockFusedCell(num_units, name="decoder")
        self._mean_transform = Dense(num_features, name="mean_transform")
        self._covariance_transform = Dense(num_features, name="covariance_transform")

    def call(self, input_window_features: Any, output_window_features: Any) -> dict:
        """See FlatPredictionModel.

        Args:
            input_window_features, output_window_features: see FlatPredictionModel.
        """
        past = transpose(input_window_features, [1, 0, 2])
        future = transpose(output_window_features, [1, 0, 2])
        _, state = self._encoder(past, dtype=past.dtype)
        found, _ = self._decoder(future, initial_state=state, dtype=future.dtype)
        found = transpose(found, [1, 0, 2])
        return {
            "mean": self._mean_transform(found),
            "covariance": exp(self._covariance_transform(found)),
        }
