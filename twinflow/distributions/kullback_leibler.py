"""How far one distribution is from another, for the pairs that say so."""

from collections.abc import Callable
from typing import Any

from twinflow.base.advice import advised
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import logical_not
from twinflow.ops.core.constant import identity
from twinflow.ops.core.reduction import reduce_any
from twinflow.ops.core.rounding import is_nan
from twinflow.ops.debugging.checks import Assert

DIVERGENCES: dict[tuple[type, type], Callable] = {}


def registered_kl(type_a: type, type_b: type) -> Callable | None:
    """The function for the nearest classes that two derive from, or None."""
    found = [
        (i + j, DIVERGENCES[a, b])
        for i, a in enumerate(type_a.__mro__)
        for j, b in enumerate(type_b.__mro__)
        if (a, b) in DIVERGENCES
    ]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def kl_divergence(
    distribution_a: Any, distribution_b: Any, allow_nan_stats: bool = True,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The Kullback-Leibler divergence of two distributions.

    KL(a || b) = E_a[log a(x) - log b(x)]

    Args:
        distribution_a, distribution_b: distributions whose pair of classes, or of
            classes they derive from, was registered with RegisterKL.
        allow_nan_stats: whether nan may be the result, or is an error.
        name: the name scope in a graph.
    Returns:
        float[batch]
    Raises:
        NotImplementedError: the pair is not registered.
        InvalidArgumentError: a nan, and `allow_nan_stats` is False.
    Example:
        a, b = tf.distributions.Normal(0.0, 1.0), tf.distributions.Normal(1.0, 1.0)
        tf.distributions.kl_divergence(a, b)  # 0.5
    """
    types = type(distribution_a), type(distribution_b)
    function = registered_kl(*types)
    if function is None:
        a, b = (t.__name__ for t in types)
        raise NotImplementedError(
            "No KL(distribution_a || distribution_b) registered for distribution_a "
            f"type {a} and distribution_b type {b}"
        )
    with name_scope("KullbackLeibler"):
        found = function(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return found
        found = identity(found, name="kl")
        names = distribution_a.name, distribution_b.name
        text = (
            f"KL calculation between {names[0]} and {names[1]} returned NaN values "
            "(and was called with allow_nan_stats=False). Values:"
        )
        check = Assert(logical_not(reduce_any(is_nan(found))), [text, found])
        with control_dependencies([check]):
            return identity(found, name="checked_kl")


def cross_entropy(
    ref: Any, other: Any, allow_nan_stats: bool = True, name: str | None = None
) -> Tensor:
    """The cross entropy of two distributions: H(ref) + KL(ref || other).

    Args:
        ref, other: distributions. allow_nan_stats: see `kl_divergence`.
        name: the name scope in a graph.
    Returns:
        float[batch]
    """
    with name_scope(name, "cross_entropy"):
        return ref.entropy() + kl_divergence(
            ref, other, allow_nan_stats=allow_nan_stats
        )


class RegisterKL:
    """A decorator that registers how the divergence of two classes is computed.

    Args:
        dist_cls_a, dist_cls_b: classes of distributions.
    Example:
        class A(tf.distributions.Normal): pass
        @tf.distributions.RegisterKL(A, A)
        def _kl_a_a(a, b, name=None): return tf.constant(3.0)
        a = A(0.0, 1.0)
        tf.distributions.kl_divergence(a, a)  # 3.0
    """

    def __init__(self, dist_cls_a: type[Any], dist_cls_b: type[Any]) -> None:
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn: Callable[..., Any]) -> Callable[..., Any]:
        if not callable(kl_fn):
            raise advised(TypeError, f"kl_fn must be callable, received: {kl_fn}")
        if self._key in DIVERGENCES:
            a, b = (c.__name__ for c in self._key)
            raise ValueError(
                f"KL({a} || {b}) has already been registered to: "
                f"{DIVERGENCES[self._key]}"
            )
        DIVERGENCES[self._key] = kl_fn
        return kl_fn
