"""The class that distributions derive from: names, shapes, and who computes what."""

import contextlib
from collections.abc import Iterator
from operator import attrgetter
from typing import Any

from twinflow.base import dtypes
from twinflow.base.annotations import DTypeValue
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor, TensorLike
from twinflow.distributions import kullback_leibler
from twinflow.distributions.documented import document
from twinflow.distributions.known import constant_value
from twinflow.distributions.sample_shapes import as_event, as_vector, set_known
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.compare import equal
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.elementwise import exp, log, log1p, sqrt, square
from twinflow.ops.core.joining import concat
from twinflow.ops.core.shape import reshape, shape


class ReparameterizationType:
    """Whether samples are differentiable functions of the parameters.

    Args:
        rep_type: a word for it.
    """

    def __init__(self, rep_type: str) -> None:
        self._rep_type = rep_type

    def __repr__(self) -> str:
        return f"<Reparameteriation Type: {self._rep_type}>"

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")


class Distribution:
    """A distribution over values of `event_shape`, or a batch of them.

    A subclass says `_batch_shape()`, `_event_shape()`, the same as `_*_shape_tensor()`,
    `_sample_n(n, seed)` and what it can of `_log_prob`, `_prob`, `_log_cdf`, `_cdf`,
    `_log_survival_function`, `_survival_function`, `_quantile` (of a value),
    `_entropy`, `_mean`, `_mode`, `_variance`, `_stddev` and `_covariance`. One of
    `_log_prob` and `_prob` gives the other, and so on.

    Args:
        dtype: the DType of samples.
        reparameterization_type: FULLY_REPARAMETERIZED or NOT_REPARAMETERIZED.
        validate_args: whether the values of parameters and arguments are checked.
        allow_nan_stats: whether statistics that are not defined are nan, or an error.
        parameters: the arguments of the constructor, {name: value}.
        graph_parents: the tensors that it is made of.
        name: the scope of its ops; by default the name of the class.
    Raises:
        ValueError: a parent is not a tensor.
    """

    def __init__(
        self, dtype: DTypeValue, reparameterization_type: ReparameterizationType,
        validate_args: bool, allow_nan_stats: bool, parameters: Any = None,
        graph_parents: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        graph_parents = [] if graph_parents is None else graph_parents
        for i, t in enumerate(graph_parents):
            if not isinstance(t, Tensor | TensorLike):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {t}.")
        if not name or name[-1] != "/":
            with name_scope(name or type(self).__name__) as name:
                pass
        self._dtype, self._name = dtype, name
        self._reparameterization_type = reparameterization_type
        self._allow_nan_stats, self._validate_args = allow_nan_stats, validate_args
        self._parameters = parameters or {}
        self._graph_parents = graph_parents

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        base = cls.__bases__[0]
        if not issubclass(base, Distribution):
            raise TypeError(
                f"First parent class declared for {cls.__name__} must be Distribution, "
                f"but saw '{base.__name__}'"
            )
        document(cls)

    # ------------------------------------------------------------------ facts
    name = property(attrgetter("_name"), doc="The scope of its ops, with a '/'.")
    dtype = property(attrgetter("_dtype"), doc="The DType of samples.")
    reparameterization_type = property(
        attrgetter("_reparameterization_type"),
        doc="Whether samples are differentiable functions of the parameters.",
    )
    allow_nan_stats = property(
        attrgetter("_allow_nan_stats"),
        doc="Whether statistics that are not defined are nan, or an error.",
    )
    validate_args = property(
        attrgetter("_validate_args"),
        doc="Whether the values of parameters and arguments are checked.",
    )

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments of the constructor, by name."""
        found = self._parameters.items()
        return {k: v for k, v in found if not k.startswith("__") and k != "self"}

    def copy(self, **override_parameters_kwargs: Any) -> Any:
        """A distribution of the same class and arguments but those given."""
        return type(self)(**{**self.parameters, **override_parameters_kwargs})

    @classmethod
    def param_shapes(
        cls, sample_shape: Any, name: str | None = "DistributionParamShapes"
    ) -> dict[str, Any]:
        """The shapes of parameters with which samples have a shape.

        Args:
            sample_shape: int32[rank]. name: the name scope in a graph.
        Returns:
            {parameter: int32[rank]}
        """
        with name_scope(name, values=[sample_shape]):
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape: Any) -> dict[str, TensorShape]:
        """As `param_shapes`, of a shape that is known.

        Raises:
            ValueError: it is not known.
        """
        if isinstance(sample_shape, TensorShape):
            if not sample_shape.is_fully_defined():
                raise ValueError("TensorShape sample_shape must be fully defined")
            sample_shape = sample_shape.as_list()
        found = {}
        for key, value in cls.param_shapes(sample_shape).items():
            known = constant_value(value)
            if known is None:
                raise ValueError(
                    "sample_shape must be a fully-defined TensorShape or list/tuple"
                )
            found[key] = TensorShape(known)
        return found

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        raise NotImplementedError("_param_shapes not implemented")

    # ------------------------------------------------------------------ shapes
    @property
    def batch_shape(self) -> TensorShape:
        """The TensorShape of the batch of distributions, as far as it is known."""
        return TensorShape(self._batch_shape())

    @property
    def event_shape(self) -> TensorShape:
        """The TensorShape of one sample of one distribution, as far as it is known."""
        return TensorShape(self._event_shape())

    def _batch_shape(self) -> Any:
        return TensorShape(None)

    def _event_shape(self) -> Any:
        return TensorShape(None)

    def batch_shape_tensor(self, name: str | None = "batch_shape_tensor") -> Tensor:
        """The batch shape as int32[rank]."""
        with self._name_scope(name):
            return _shape_of(self.batch_shape, self._batch_shape_tensor, "batch_shape")

    def event_shape_tensor(self, name: str | None = "event_shape_tensor") -> Tensor:
        """The event shape as int32[rank]."""
        with self._name_scope(name):
            return _shape_of(self.event_shape, self._event_shape_tensor, "event_shape")

    def is_scalar_event(self, name: str | None = "is_scalar_event") -> Tensor:
        """Whether `event_shape` is (), as a bool scalar."""
        with self._name_scope(name):
            found = self._is_scalar_helper(self.event_shape, self.event_shape_tensor)
            return convert_to_tensor(found, name="is_scalar_event")

    def is_scalar_batch(self, name: str | None = "is_scalar_batch") -> Tensor:
        """Whether `batch_shape` is (), as a bool scalar."""
        with self._name_scope(name):
            found = self._is_scalar_helper(self.batch_shape, self.batch_shape_tensor)
            return convert_to_tensor(found, name="is_scalar_batch")

    def _is_scalar_helper(self, static_shape, dynamic_shape_fn):
        if static_shape.ndims is not None:
            return static_shape.ndims == 0
        found = dynamic_shape_fn()
        if found.shape.ndims is not None and found.shape[0].value is not None:
            return found.shape.as_list() == [0]
        return equal(shape(found)[0], 0)

    # ------------------------------------------------------------------ samples
    def sample(
        self, sample_shape: Any = (), seed: int | None = None,
        name: str | None = "sample",
    ) -> Tensor:  # fmt: skip
        """Samples.

        Args:
            sample_shape: int32 scalar or vector. seed: see tf.set_random_seed.
            name: the name scope in a graph.
        Returns:
            dtype[sample_shape + batch_shape + event_shape]
        """
        return self._call_sample_n(sample_shape, seed, name)

    def _call_sample_n(self, sample_shape, seed, name, **kwargs):
        with self._name_scope(name, values=[sample_shape]):
            sample_shape = convert_to_tensor(
                sample_shape, dtype=dtypes.int32, name="sample_shape"
            )
            sample_shape, n = self._expand_sample_shape_to_vector(
                sample_shape, "sample_shape"
            )
            samples = self._sample_n(n, seed, **kwargs)
            final = concat([sample_shape, shape(samples)[1:]], 0)
            return self._set_sample_static_shape(reshape(samples, final), sample_shape)

    def _expand_sample_shape_to_vector(self, x, name):
        return as_vector(x, name)

    def _set_sample_static_shape(self, x, sample_shape):
        return set_known(x, sample_shape, self.batch_shape, self.event_shape)

    # ------------------------------------------------------------------ of a value
    def log_prob(self, value: TensorValue, name: str | None = "log_prob") -> Tensor:
        """The logarithm of the density (or mass) at a value.

        Args:
            value: dtype[sample_shape + batch_shape + event_shape].
            name: the name scope in a graph.
        Returns:
            float[sample_shape + batch_shape]
        """
        return self._call_log_prob(value, name)

    def _call_log_prob(self, value, name, **kwargs):
        return self._of_value("_log_prob", log, "_prob", value, name, kwargs)

    def prob(self, value: TensorValue, name: str | None = "prob") -> Tensor:
        """The density (or mass) at a value; see `log_prob`."""
        return self._call_prob(value, name)

    def _call_prob(self, value, name, **kwargs):
        return self._of_value("_prob", exp, "_log_prob", value, name, kwargs)

    def log_cdf(self, value: TensorValue, name: str | None = "log_cdf") -> Tensor:
        """log P[X <= value]; see `log_prob`."""
        return self._call_log_cdf(value, name)

    def _call_log_cdf(self, value, name, **kwargs):
        return self._of_value("_log_cdf", log, "_cdf", value, name, kwargs)

    def cdf(self, value: TensorValue, name: str | None = "cdf") -> Tensor:
        """P[X <= value]; see `log_prob`."""
        return self._call_cdf(value, name)

    def _call_cdf(self, value, name, **kwargs):
        return self._of_value("_cdf", exp, "_log_cdf", value, name, kwargs)

    def log_survival_function(
        self, value: TensorValue, name: str | None = "log_survival_function"
    ) -> Tensor:
        """log P[X > value]; see `log_prob`."""
        return self._call_log_survival_function(value, name)

    def _call_log_survival_function(self, value, name, **kwargs):
        return self._of_value(
            "_log_survival_function", _log_of_rest, "cdf", value, name, kwargs
        )

    def survival_function(
        self, value: TensorValue, name: str | None = "survival_function"
    ) -> Tensor:
        """P[X > value]; see `log_prob`."""
        return self._call_survival_function(value, name)

    def _call_survival_function(self, value, name, **kwargs):
        return self._of_value("_survival_function", _rest, "cdf", value, name, kwargs)

    def quantile(self, value: TensorValue, name: str | None = "quantile") -> Tensor:
        """The x with P[X <= x] = value.

        Args:
            value: float[sample_shape + batch_shape] in [0, 1].
            name: the name scope in a graph.
        Returns:
            dtype[sample_shape + batch_shape + event_shape]
        """
        return self._call_quantile(value, name)

    def _call_quantile(self, value, name, **kwargs):
        return self._of_value("_quantile", None, None, value, name, kwargs)

    def _of_value(self, method, through, other, value, name, kwargs):
        """What `method` says of a value, else `through` of what `other` does."""
        with self._name_scope(name, values=[value]):
            value = as_event(value, self.dtype)
            return _first_of(self, method, through, other, (value,), kwargs)

    # ------------------------------------------------------------------ statistics
    def entropy(self, name: str | None = "entropy") -> Tensor:
        """The entropy in nats, float[batch_shape]."""
        with self._name_scope(name):
            return self._entropy()

    def mean(self, name: str | None = "mean") -> Tensor:
        """The mean, float[batch_shape + event_shape]."""
        with self._name_scope(name):
            return self._mean()

    def mode(self, name: str | None = "mode") -> Tensor:
        """The value with the largest density, dtype[batch_shape + event_shape]."""
        with self._name_scope(name):
            return self._mode()

    def variance(self, name: str | None = "variance") -> Tensor:
        """The variance of each element, float[batch_shape + event_shape]."""
        with self._name_scope(name):
            return _first_of(self, "_variance", square, "_stddev")

    def stddev(self, name: str | None = "stddev") -> Tensor:
        """The standard deviation of each element, float[batch_shape + event_shape]."""
        with self._name_scope(name):
            return _first_of(self, "_stddev", sqrt, "_variance")

    def covariance(self, name: str | None = "covariance") -> Tensor:
        """The covariance of the elements of a vector, float[batch_shape + [k, k]]."""
        with self._name_scope(name):
            return self._covariance()

    def cross_entropy(self, other: Any, name: str | None = "cross_entropy") -> Tensor:
        """The cross entropy with another distribution, float[batch_shape].

        H(self, other) = H(self) + KL(self || other)
        """
        with self._name_scope(name):
            return self._cross_entropy(other)

    def _cross_entropy(self, other):
        return kullback_leibler.cross_entropy(
            self, other, allow_nan_stats=self.allow_nan_stats
        )

    def kl_divergence(self, other: Any, name: str | None = "kl_divergence") -> Tensor:
        """KL(self || other), float[batch_shape]; see tf.distributions.kl_divergence."""
        with self._name_scope(name):
            return self._kl_divergence(other)

    def _kl_divergence(self, other):
        return kullback_leibler.kl_divergence(
            self, other, allow_nan_stats=self.allow_nan_stats
        )

    # ------------------------------------------------------------------ words
    def __str__(self) -> str:
        parts = [f'tfp.distributions.{type(self).__name__}("{self.name}"']
        for word in ("batch_shape", "event_shape"):
            found = getattr(self, word)
            if found.ndims is not None:
                parts.append(f"{word}={found}")
        parts.append(f"dtype={dtypes.as_dtype(self.dtype).name})")
        return ", ".join(parts)

    def __repr__(self) -> str:
        return (
            f"<tfp.distributions.{type(self).__name__} '{self.name}' "
            f"batch_shape={self.batch_shape} event_shape={self.event_shape} "
            f"dtype={dtypes.as_dtype(self.dtype).name}>"
        )

    @contextlib.contextmanager
    def _name_scope(self, name: Any = None, values: Any = None) -> Iterator[str]:
        values = [*(values or []), *self._graph_parents]
        with name_scope(self.name), name_scope(name, values=values) as scope:
            yield scope


def _missing(method):
    """The method of a distribution that does not say it."""

    def refuse(self, *args, **kwargs):
        word = method.removeprefix("_")
        raise NotImplementedError(f"{word} is not implemented: {type(self).__name__}")

    refuse.__name__ = method
    return refuse


for _method in (
    "_batch_shape_tensor", "_event_shape_tensor", "_sample_n", "_log_prob", "_prob",
    "_log_cdf", "_cdf", "_log_survival_function", "_survival_function", "_quantile",
    "_entropy", "_mean", "_mode", "_variance", "_stddev", "_covariance",
):  # fmt: skip
    setattr(Distribution, _method, _missing(_method))


def _shape_of(known, found, name):
    if known.is_fully_defined():
        return convert_to_tensor(known.as_list(), dtype=dtypes.int32, name=name)
    return found()


def _first_of(distribution, method, through, other, args=(), kwargs=None):
    """What a method gives, else `through` of another's; the error is the first's."""
    kwargs = kwargs or {}
    try:
        return getattr(distribution, method)(*args, **kwargs)
    except NotImplementedError as error:
        if other is None:
            raise
        try:
            return through(getattr(distribution, other)(*args, **kwargs))
        except NotImplementedError:
            raise error from None


def _rest(p):
    return 1.0 - p


def _log_of_rest(p):
    return log1p(-p)
