"""Layers that add noise while training: a protection against overfitting."""

import math
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.keras.engine.constructors import settings
from twinflow.keras.engine.input_spec import InputSpec
from twinflow.keras.layers.arguments import chosen, data_format_of, static_training
from twinflow.keras.layers.core import Dropout, Elementwise
from twinflow.ops.core.compare import greater_equal
from twinflow.ops.core.constant import cast
from twinflow.ops.core.elementwise import add, multiply
from twinflow.ops.core.shape import shape
from twinflow.ops.random.draws import random_normal, random_uniform
from twinflow.ops.random.setting import setting

_ALPHA, _SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946


class _Noise(Elementwise):
    """A layer that does something while training only."""

    def call(self, inputs: Any, training: Any = None) -> Tensor:
        return chosen(
            static_training(training),
            lambda: self._noised(inputs),
            lambda: inputs,
        )


@settings("stddev")
class GaussianNoise(_Noise):
    """While training: x + noise, normal with mean 0 and deviation `stddev`."""

    def _noised(self, x):
        seed = setting.keras_seed(None)
        return add(x, random_normal(shape(x), 0.0, self.stddev, x.dtype, seed))


@settings("rate")
class GaussianDropout(_Noise):
    """While training: x * noise, normal with mean 1 and variance rate / (1 - rate).

    Args:
        rate: as in Dropout. kwargs: `name`, `dtype` ...
    """

    def call(self, inputs: Any, training: Any = None) -> Tensor:
        return super().call(inputs, training) if 0 < self.rate < 1 else inputs

    def _noised(self, x):
        stddev = math.sqrt(self.rate / (1 - self.rate))
        seed = setting.keras_seed(None)
        return multiply(x, random_normal(shape(x), 1.0, stddev, x.dtype, seed))


@settings("rate", noise_shape=None, seed=None)
class AlphaDropout(_Noise):
    """Dropout that keeps mean and variance of what `selu` gives.

    Args:
        rate: the share of entries to drop. noise_shape, seed: see Dropout.
    Reference: Klambauer et al., Self-normalizing neural networks (NIPS 2017).
    """

    config = ("rate",)

    def call(self, inputs: Any, training: Any = None) -> Tensor:
        return super().call(inputs, training) if 0 < self.rate < 1 else inputs

    def _noised(self, x):
        low = -_ALPHA * _SCALE
        sizes = shape(x) if self.noise_shape is None else self.noise_shape
        drawn = random_uniform(sizes, seed=setting.keras_seed(self.seed))
        kept = cast(greater_equal(drawn, self.rate), x.dtype)
        a = ((1 - self.rate) * (1 + self.rate * low**2)) ** -0.5
        b = -a * low * self.rate
        return add(multiply(add(multiply(x, kept), multiply(low, 1 - kept)), a), b)


class _SpatialDropout(Dropout):
    """Dropout of whole channels; a subclass says of how many axes."""

    rank, config = 1, ("rate", "noise_shape", "seed")

    def __init__(
        self, rate: Any, data_format: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(rate, **kwargs)
        self.data_format = data_format_of(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _sizes(self, x):
        now, ones = shape(x), (1,) * self.rank
        if self.data_format == "channels_first":
            return (now[0], now[1], *ones)
        return (now[0], *ones, now[self.rank + 1])


class SpatialDropout1D(_SpatialDropout):
    """While training: whole channels of sequences are dropped; see Dropout."""

    def __init__(self, rate: Any, **kwargs: Any) -> None:
        super().__init__(rate, "channels_last", **kwargs)


class SpatialDropout2D(_SpatialDropout):
    """While training: whole channels of images are dropped; see Dropout."""

    rank = 2


class SpatialDropout3D(_SpatialDropout):
    """While training: whole channels of volumes are dropped; see Dropout."""

    rank = 3
