"""Distributions each number of which is drawn given those before it."""

from operator import attrgetter
from typing import Any

from twinflow.contrib.distributions.seed_stream import SeedStream
from twinflow.distributions.distribution import Distribution
from twinflow.distributions.known import maybe_get_static_value
from twinflow.graph.scopes import name_scope
from twinflow.graph.while_loop import while_loop


class Autoregressive(Distribution):
    """P(x) = prod_i P(x_i | x_0 ... x_i-1).

    Args:
        distribution_fn: a function of x that gives the distribution of all x_i, the
            i-th by the elements of x before i alone.
        sample0: where sampling starts; by default the sample of `distribution_fn()`.
        num_steps: int, how often `distribution_fn` is drawn from, by default the
            number of elements of an event.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    Raises:
        ValueError: num_steps is below 1, or the event shape is not known.
    """

    def __init__(
        self, distribution_fn: Any, sample0: Any = None, num_steps: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "Autoregressive",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name) as name:
            self._distribution_fn, self._sample0 = distribution_fn, sample0
            self._distribution0 = (
                distribution_fn() if sample0 is None else distribution_fn(sample0)
            )
            if num_steps is None:
                num_steps = self._distribution0.event_shape.num_elements()
                if num_steps is None:
                    raise ValueError(
                        "distribution_fn must generate a distribution with fully known "
                        "`event_shape`."
                    )
            known = maybe_get_static_value(num_steps)
            if known is not None and known < 1:
                raise ValueError(f"num_steps ({num_steps}) must be at least 1.")
            self._num_steps = num_steps
        super().__init__(
            self._distribution0.dtype, self._distribution0.reparameterization_type,
            validate_args, allow_nan_stats, parameters,
            self._distribution0._graph_parents, name,
        )  # fmt: skip

    distribution_fn = property(attrgetter("_distribution_fn"), doc="The function.")
    sample0 = property(attrgetter("_sample0"), doc="Where sampling starts, or None.")
    num_steps = property(attrgetter("_num_steps"), doc="How often is drawn.")
    distribution0 = property(attrgetter("_distribution0"), doc="The first one.")

    def _batch_shape(self):
        return self.distribution0.batch_shape

    def _batch_shape_tensor(self):
        return self.distribution0.batch_shape_tensor()

    def _event_shape(self):
        return self.distribution0.event_shape

    def _event_shape_tensor(self):
        return self.distribution0.event_shape_tensor()

    def _sample_n(self, n, seed=None):
        seed = SeedStream(seed, salt="Autoregressive")()
        samples = self.distribution0.sample(n, seed=seed)
        known = maybe_get_static_value(self.num_steps)
        if known is not None:
            for _ in range(int(known)):
                samples = self.distribution_fn(samples).sample(seed=seed)
            return samples
        return while_loop(
            cond=lambda i, _: i < self.num_steps,
            body=lambda i, x: (i + 1, self.distribution_fn(x).sample(seed=seed)),
            loop_vars=[0, samples],
        )[1]

    def _log_prob(self, value):
        return self.distribution_fn(value).log_prob(value)

    def _prob(self, value):
        return self.distribution_fn(value).prob(value)
