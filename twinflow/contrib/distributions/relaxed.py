"""Relaxed classes: samples that are differentiable, by the Gumbel-softmax trick.

Reference: Maddison, Mnih, Teh: The concrete distribution (2017); Jang, Gu, Poole:
Categorical reparameterization with Gumbel-softmax (2017).
"""

from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base.operators import TensorValue
from twinflow.contrib.distributions.bijectors.power import Exp
from twinflow.contrib.distributions.bijectors.squashing import Sigmoid
from twinflow.contrib.distributions.logistic import Logistic
from twinflow.contrib.distributions.onehot_categorical import OfClasses
from twinflow.distributions.distribution import FULLY_REPARAMETERIZED
from twinflow.distributions.parameters import get_logits_and_probs
from twinflow.distributions.transformed_distribution import TransformedDistribution
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.elementwise import add, log
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.debugging.checks import (
    assert_near,
    assert_non_positive,
    assert_positive,
)
from twinflow.ops.debugging.static import with_dependencies
from twinflow.ops.nn.softmax import log_softmax
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.special.gamma import lgamma


class ExpRelaxedOneHotCategorical(OfClasses):
    """The logarithm of RelaxedOneHotCategorical: numerically the better one.

    Args:
        temperature: float > 0; samples come near to one-hot as it nears 0.
        logits: float[batch..., classes]. probs: float[batch..., classes]; one of both
            is given. dtype: that of samples, by default that of the parameters.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    def __init__(
        self, temperature: TensorValue, logits: Any = None, probs: Any = None,
        dtype: Any = None, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "ExpRelaxedOneHotCategorical",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs, temperature]) as name:
            self._set_classes(logits, probs, validate_args, name, dtype)
            dtype = self._logits.dtype if dtype is None else dtype
            t = convert_to_tensor(temperature, name="temperature", dtype=dtype)
            with control_dependencies([assert_positive(t)] if validate_args else []):
                self._temperature = identity(t, name="temperature")
                self._temperature_2d = reshape(
                    self._temperature, [-1, 1], name="temperature_2d"
                )
        super().__init__(
            dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._logits, self._probs, self._temperature], name,
        )  # fmt: skip

    temperature = property(attrgetter("_temperature"), doc="The temperature.")

    def _sample_n(self, n, seed=None):
        whole = concat([[n], shape(self.logits)], 0)
        logits = self.logits * ones(whole, dtype=self.dtype)
        rows = reshape(logits, [-1, self.event_size])
        # 0 itself would give an infinite sample.
        low = np.finfo(self.dtype.as_numpy_dtype).tiny
        uniform = random_uniform(
            shape=shape(rows), minval=low, maxval=1, dtype=self.dtype, seed=seed
        )
        noisy = add(-log(-log(uniform)), rows)
        return log_softmax(reshape(noisy, whole) / self.temperature[..., None])

    def _log_prob(self, x):
        x = self._assert_valid_sample(x)
        x, logits = self._alike(x)
        k = cast(self.event_size, x.dtype)
        t = self.temperature
        scaled = log_softmax(logits - x * t[..., None])
        normalization = lgamma(k) + log(t) * (k - 1)
        found = reduce_sum(scaled, axis=-1) + normalization
        if logits.shape.ndims is not None and found.shape.ndims is None:
            found.set_shape(logits.shape[:-1])
        return found

    def _assert_valid_sample(self, x):
        if not self.validate_args:
            return x
        checks = [
            assert_non_positive(x),
            assert_near(zeros([], dtype=self.dtype), reduce_logsumexp(x, axis=[-1])),
        ]
        return with_dependencies(checks, x)


class RelaxedOneHotCategorical(TransformedDistribution):
    """Vectors of positive numbers that sum to 1, near to one-hot at low temperatures.

    Args:
        temperature: float > 0; samples come near to one-hot as it nears 0.
        logits: float[batch..., classes]. probs: float[batch..., classes]; one of both
            is given. dtype: that of samples, by default that of the parameters.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Example:
        distributions = tf.contrib.distributions
        d = distributions.RelaxedOneHotCategorical(0.5, logits=[1.0, 2.0, 0.0])
        d.sample(4)  # float32[4, 3]
    """

    def __init__(
        self, temperature: TensorValue, logits: Any = None, probs: Any = None,
        dtype: Any = None, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "RelaxedOneHotCategorical",
    ) -> None:  # fmt: skip
        base = ExpRelaxedOneHotCategorical(
            temperature, logits, probs, dtype, validate_args, allow_nan_stats
        )
        parameters = dict(
            temperature=temperature, logits=logits, probs=probs, dtype=dtype,
            validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=name,
        )  # fmt: skip
        super().__init__(base, Exp(validate_args), name=name)
        self._parameters = parameters

    temperature = property(
        attrgetter("distribution.temperature"), doc="The temperature."
    )
    event_size = property(
        attrgetter("distribution.event_size"), doc="The number of classes."
    )
    logits = property(attrgetter("distribution.logits"), doc="Logits.")
    probs = property(attrgetter("distribution.probs"), doc="Probabilities.")


class RelaxedBernoulli(TransformedDistribution):
    """Numbers between 0 and 1, near to either at low temperatures.

    Args:
        temperature: float > 0; samples come near to 0 or 1 as it nears 0.
        logits: float[batch]. probs: float[batch]; one of both is given.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Example:
        distributions = tf.contrib.distributions
        distributions.RelaxedBernoulli(0.5, probs=[0.1, 0.9]).sample(3)  # float32[3, 2]
    """

    def __init__(
        self, temperature: TensorValue, logits: Any = None, probs: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "RelaxedBernoulli",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs, temperature]) as name:
            t = convert_to_tensor(temperature, name="temperature")
            if validate_args:
                t = with_dependencies([assert_positive(t)], t)
            self._temperature = t
            self._logits, self._probs = get_logits_and_probs(
                logits=logits, probs=probs, validate_args=validate_args
            )
            base = Logistic(
                self._logits / t, 1.0 / t, validate_args, allow_nan_stats,
                name=f"{name}Logistic",
            )  # fmt: skip
            super().__init__(
                base, Sigmoid(validate_args=validate_args),
                validate_args=validate_args, name=name,
            )  # fmt: skip
        self._parameters = parameters

    temperature = property(attrgetter("_temperature"), doc="The temperature.")
    logits = property(attrgetter("_logits"), doc="log(p / (1 - p)), float[batch].")
    probs = property(attrgetter("_probs"), doc="The probability of 1, float[batch].")
