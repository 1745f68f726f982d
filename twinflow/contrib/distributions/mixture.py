"""Mixtures of distributions that need not be alike."""

from operator import attrgetter
from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.contrib.distributions.mixture_shapes import (
    mixture_stddev,
    pad_mixture_dimensions,
)
from twinflow.contrib.distributions.seed_stream import SeedStream
from twinflow.distributions.categorical import Categorical
from twinflow.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from twinflow.distributions.known import constant_value
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.creation import ones_like
from twinflow.ops.core.elementwise import add_n
from twinflow.ops.core.joining import stack, unstack
from twinflow.ops.core.reduction import reduce_logsumexp, reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.debugging.checks import assert_equal
from twinflow.ops.nn.softmax import log_softmax, softmax


class Mixture(Distribution):
    """A mixture: a categorical distribution chooses the one that a sample comes from.

    P(x) = sum_i P(cat = i) P_i(x)

    Args:
        cat: a Categorical over the components. components: a list of distributions of
            one dtype and event shape. validate_args: whether to check batch shapes.
        allow_nan_stats: whether statistics may be nan, or are errors.
        use_static_graph: whether sampling draws from all components alike.
        name: the scope of its ops.
    Raises:
        TypeError: cat or a component is something else, or the dtypes differ.
        ValueError: another number of components than classes.
    Example:
        distributions = tf.contrib.distributions
        d = distributions.Mixture(
            distributions.Categorical(probs=[0.25, 0.75]),
            [distributions.Normal(0.0, 1.0), distributions.Normal(4.0, 1.0)])
        d.mean()  # 3.0
    """

    def __init__(
        self, cat: Any, components: Any, validate_args: bool = False,
        allow_nan_stats: bool = True, use_static_graph: bool = False,
        name: str = "Mixture",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        dtype = _check_components(cat, components)
        event, batch = components[0].event_shape, cat.batch_shape
        for d in components:
            event = event.merge_with(d.event_shape)
            batch = batch.merge_with(d.batch_shape)
        if event.ndims is None:
            raise ValueError(
                "Expected to know rank(event_shape) from components, but none of the "
                "components provide a static number of ndims"
            )
        with name_scope(name, values=[cat.logits]) as name:
            self._num_components = _count(cat, components)
            self._cat, self._components = cat, list(components)
            self._static_event_shape, self._static_batch_shape = event, batch
            self._use_static_graph = use_static_graph
            self._assertions = []
            if validate_args:
                own = cat.batch_shape_tensor()
                self._assertions = [
                    assert_equal(
                        own, d.batch_shape_tensor(),
                        message=f"components[{i}] batch shape must match cat batch "
                        "shape",
                    )
                    for i, d in enumerate(components)
                ]  # fmt: skip
        parents = [*cat._graph_parents]
        for d in components:
            parents += d._graph_parents
        super().__init__(
            dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            parents, name,
        )  # fmt: skip

    cat = property(attrgetter("_cat"), doc="The Categorical over components.")
    components = property(attrgetter("_components"), doc="The distributions.")
    num_components = property(attrgetter("_num_components"), doc="Their number.")

    def _batch_shape_tensor(self):
        return self._cat.batch_shape_tensor()

    def _batch_shape(self):
        return self._static_batch_shape

    def _event_shape_tensor(self):
        return self._components[0].event_shape_tensor()

    def _event_shape(self):
        return self._static_event_shape

    def _wide(self, x):
        """x: float[batch] with an axis of size 1 for each axis of an event."""
        for _ in range(self.event_shape.ndims):
            x = expand_dims(x, -1)
        return x

    def _mean(self):
        with control_dependencies(self._assertions):
            means = [d.mean() for d in self.components]
            probs = self._cat_probs(log_probs=False)
            pairs = zip(probs, means, strict=True)
            return add_n([self._wide(p) * m for p, m in pairs])

    def _stddev(self):
        with control_dependencies(self._assertions):
            means = stack([d.mean() for d in self.components], axis=-1)
            stddevs = stack([d.stddev() for d in self.components], axis=-1)
            probs = stack(
                [self._wide(p) for p in self._cat_probs(log_probs=False)], axis=-1
            )
            rows = [
                reshape(t, [-1, self.num_components])
                for t in (probs * ones_like(means), means, stddevs)
            ]
            return reshape(mixture_stddev(*rows), shape(means)[:-1])

    def _log_prob(self, x):
        return self._log_sum("log_prob", x)

    def _log_cdf(self, x):
        return self._log_sum("log_cdf", x)

    def _log_sum(self, method, x):
        with control_dependencies(self._assertions):
            logs = [getattr(d, method)(x) for d in self.components]
            weights = self._cat_probs(log_probs=True)
            parts = [w + p for w, p in zip(weights, logs, strict=True)]
            return reduce_logsumexp(stack(parts, 0), [0])

    def _sample_n(self, n, seed=None):
        with control_dependencies(self._assertions):
            stream = SeedStream(seed, salt="Mixture")
            chosen = self.cat.sample(
                n, seed=stream() if self._use_static_graph else seed
            )
            axes = self._static_event_shape.ndims
            drawn = [d.sample(n, seed=stream()) for d in self.components]
            x = stack(drawn, -axes - 1)
            kind = x.dtype.as_numpy_dtype
            mask = one_hot(
                chosen, self._num_components, on_value=kind(1), off_value=kind(0)
            )
            mask = pad_mixture_dimensions(mask, self, self._cat, axes)
            return reduce_sum(x * mask, axis=-1 - axes)

    def entropy_lower_bound(self, name: str | None = "entropy_lower_bound") -> Tensor:
        """A number that the entropy is not below: sum_i P(cat = i) H(i)."""
        with self._name_scope(name), control_dependencies(self._assertions):
            entropies = [d.entropy() for d in self.components]
            probs = self._cat_probs(log_probs=False)
            return add_n([p * e for p, e in zip(probs, entropies, strict=True)])

    def _cat_probs(self, log_probs):
        """The probabilities of the components, float[batch] each, or their logs."""
        function = log_softmax if log_probs else softmax
        return unstack(function(self.cat.logits), num=self.num_components, axis=-1)


def _check_components(cat, components):
    """The dtype of all components."""
    if not isinstance(cat, Categorical):
        raise TypeError(f"cat must be a Categorical distribution, but saw: {cat}")
    if not components:
        raise ValueError("components must be a non-empty list or tuple")
    if not isinstance(components, list | tuple):
        raise TypeError(f"components must be a list or tuple, but saw: {components}")
    if not all(isinstance(d, Distribution) for d in components):
        raise TypeError(
            "all entries in components must be Distribution instances but saw: "
            f"{components}"
        )
    dtype = components[0].dtype
    if not all(d.dtype == dtype for d in components):
        seen = [(d.name, d.dtype) for d in components]
        raise TypeError(
            f"All components must have the same dtype, but saw dtypes: {seen}"
        )
    return dtype


def _count(cat, components):
    known = constant_value(cat.event_size)
    if known is None:
        raise ValueError(
            "Could not infer number of classes from cat and unable to compare this "
            "value to the number of components passed in."
        )
    if int(known) != len(components):
        raise ValueError(
            f"cat.num_classes != len(components): {int(known)} vs. {len(components)}"
        )
    return int(known)
