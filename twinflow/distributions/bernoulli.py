"""The Bernoulli distribution."""

from operator import attrgetter
from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.distributions.checks import embed_check_integer_casting_closed
from twinflow.distributions.distribution import NOT_REPARAMETERIZED
from twinflow.distributions.kullback_leibler import RegisterKL
from twinflow.distributions.parameters import get_logits_and_probs
from twinflow.distributions.scalars import ScalarDistribution
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import greater, less
from twinflow.ops.core.constant import cast, identity
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import sigmoid
from twinflow.ops.core.joining import concat
from twinflow.ops.core.rounding import softplus
from twinflow.ops.nn.logistic import sigmoid_cross_entropy_with_logits
from twinflow.ops.random.draws import random_uniform


class Bernoulli(ScalarDistribution):
    """The Bernoulli distribution: 1 with a probability, else 0.

    Args:
        logits: float[batch], log(p / (1 - p)). probs: float[batch], p in [0, 1]; one of
            both is given. dtype: that of samples.
        validate_args: whether to check probabilities and values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: both of logits and probs are given, or none.
    Example:
        tf.distributions.Bernoulli(probs=[0.25, 0.5]).prob(1)  # [0.25, 0.5]
    """

    _broadcast = ("logits",)

    def __init__(
        self, logits: Any = None, probs: Any = None, dtype: DTypeValue = dtypes.int32,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "Bernoulli",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name) as name:
            self._logits, self._probs = get_logits_and_probs(
                logits=logits, probs=probs, validate_args=validate_args, name=name
            )
        super().__init__(
            dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._logits, self._probs], name,
        )  # fmt: skip

    logits = property(attrgetter("_logits"), doc="log(p / (1 - p)), float[batch].")
    probs = property(attrgetter("_probs"), doc="The probability of 1, float[batch].")

    def _sample_n(self, n, seed=None):
        to = concat([[n], self.batch_shape_tensor()], 0)
        uniform = random_uniform(to, seed=seed, dtype=self.probs.dtype)
        return cast(less(uniform, self.probs), self.dtype)

    def _log_prob(self, event):
        if self.validate_args:
            event = embed_check_integer_casting_closed(event, target_dtype=dtypes.bool)
        event, logits = cast(event, self.logits.dtype), self.logits
        shapes = event.shape, logits.shape
        if not all(s.is_fully_defined() for s in shapes) or shapes[0] != shapes[1]:
            event, logits = ones_like(logits) * event, ones_like(event) * logits
        return -sigmoid_cross_entropy_with_logits(labels=event, logits=logits)

    def _entropy(self):
        return (-self.logits) * (sigmoid(self.logits) - 1) + softplus(-self.logits)

    def _mean(self):
        return identity(self.probs)

    def _variance(self):
        return self._mean() * (1.0 - self.probs)

    def _mode(self):
        """1 if p > 0.5, else 0."""
        return cast(greater(self.probs, 0.5), self.dtype)


@RegisterKL(Bernoulli, Bernoulli)
def _kl_bernoulli_bernoulli(a: Any, b: Any, name: str | None = None) -> Any:
    with name_scope(name, "kl_bernoulli_bernoulli", values=[a.logits, b.logits]):
        of_one = softplus(-b.logits) - softplus(-a.logits)
        of_zero = softplus(b.logits) - softplus(a.logits)
        return sigmoid(a.logits) * of_one + sigmoid(-a.logits) * of_zero
