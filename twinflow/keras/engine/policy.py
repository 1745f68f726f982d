"""Policies: in which dtype a layer computes, and in which its variables are.

Note [Autocast]: a layer with a mixed policy keeps its variables in float32, for
optimizers to add small steps to. While it is called, its float inputs become half
precision, and so does each of its variables where an op reads it; gradients come back
through these casts. Layers that say `computes_whole` (normalisation, whose sums of
squares leave the range of halves) compute in float32 and give halves.
"""

import contextlib
import functools
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.base import dtypes, nest
from twinflow.base.advice import advised
from twinflow.base.tensor import Tensor
from twinflow.keras.backend import defaults
from twinflow.ops.core.constant import cast
from twinflow.ops.variables.resource import ResourceVariable

_MIXED = {"mixed_float16": dtypes.float16, "mixed_bfloat16": dtypes.bfloat16}


class Policy:
    """The dtypes of a layer.

    Args:
        name: "mixed_float16", "mixed_bfloat16", or the name of a dtype, which is then
            that of both.
        loss_scale: accepted, see LossScaleOptimizer.
    Raises:
        ValueError: there is no such policy.
    Example:
        policy = tf.keras.mixed_precision.experimental.Policy("mixed_float16")
        policy.compute_dtype, policy.variable_dtype  # ('float16', 'float32')
    """

    def __init__(self, name: Any, loss_scale: Any = None) -> None:
        self._name = name = getattr(name, "name", name)
        self.loss_scale = loss_scale
        if name not in _MIXED:
            try:
                name = dtypes.as_dtype(name).name
            except TypeError:
                raise advised(
                    ValueError,
                    f"Cannot convert value {name!r} to a mixed precision Policy. Valid "
                    "policies include those named 'mixed_float16', 'mixed_bfloat16', "
                    "and the names of dtypes such as 'float32'.",
                ) from None
        self._compute = _MIXED[name].name if name in _MIXED else name

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def compute_dtype(self) -> str:
        """The name of the dtype that layers compute in."""
        return self._compute

    @property
    def variable_dtype(self) -> str:
        """The name of the dtype of variables."""
        return "float32" if self.is_mixed else self._compute

    @property
    def is_mixed(self) -> bool:
        """Whether the two differ."""
        return self._name in _MIXED

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal one."""
        return {"name": self._name}

    @classmethod
    def from_config(cls, config: dict[Any, Any]) -> "Policy":
        """One of what `get_config` gave."""
        return cls(**config)

    def __repr__(self) -> str:
        return f'<Policy "{self._name}">'


class _Global:
    """The policy of layers that are made without one; None = that of `floatx`."""

    policy: Policy | None = None


class _Casting(threading.local):
    """What the variables of the layer that this thread calls are read as."""

    dtype: Any = None


_casting = _Casting()


def global_policy() -> Policy:
    """The policy of layers that are made without one."""
    return _Global.policy or Policy(defaults.floatx())


def set_policy(policy: Any) -> None:
    """Set the policy of layers that are made from now on.

    Args:
        policy: a Policy or its name; None = the dtype that `tf.keras.backend.floatx()`
            names.
    Raises:
        ValueError: there is no such policy.
    Example:
        tf.keras.mixed_precision.experimental.set_policy("mixed_bfloat16")
        y = tf.keras.layers.Dense(2)(tf.ones([1, 3]))
        tf.keras.mixed_precision.experimental.set_policy(None)
        y.dtype  # tf.bfloat16
    """
    _Global.policy = None if policy is None else as_policy(policy)


def as_policy(policy: Any) -> Policy:
    """A Policy, or that of a name or dtype."""
    return policy if isinstance(policy, Policy) else Policy(policy)


def policy_of(dtype: Any) -> Policy | None:
    """The Policy that the argument `dtype` of a layer, or nothing, means; None where
    none is in use. Beside mixed ones each layer takes its inputs in its own dtype."""
    if dtype is None:
        return _Global.policy
    named = isinstance(dtype, Policy) or dtype in _MIXED
    return as_policy(dtype) if named or _Global.policy is not None else None


@contextlib.contextmanager
def casting(dtype: Any) -> Iterator[None]:
    """A block in which this thread reads autocast variables as `dtype`."""
    outer, _casting.dtype = _casting.dtype, dtype
    try:
        yield
    finally:
        _casting.dtype = outer


class MixedCall:
    """The `call` of a layer with a mixed policy (Note [Autocast]).

    Args:
        layer: the Layer. policy: its Policy. whole: whether it computes in float32.
    """

    def __init__(self, layer: Any, policy: Policy, whole: bool) -> None:
        self.layer, self.whole = layer, whole and policy.is_mixed
        self.casts = policy.is_mixed and not whole
        self.dtype = dtypes.as_dtype(policy.compute_dtype)
        functools.update_wrapper(self, type(layer).call.__get__(layer))

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The outputs, in half precision where they are floats."""
        inside = dtypes.float32 if self.whole else self.dtype
        with casting(self.dtype if self.casts else None):
            outputs = type(self.layer).call(
                self.layer, _as(inside, inputs), *args, **kwargs
            )
        return _as(self.dtype, outputs) if self.whole else outputs


def _as(dtype: Any, values: Any) -> Any:
    """The float tensors of a structure in a dtype."""

    def converted(x: Any) -> Any:
        floats = isinstance(x, Tensor) and x.dtype.base_dtype.is_floating
        return cast(x, dtype) if floats and x.dtype.base_dtype != dtype else x

    if isinstance(values, Tensor | np.ndarray):
        return converted(values)
    return nest.map_structure(converted, values)


@functools.cache
def _autocast(kind: type) -> type:
    """A kind of variables that layers with a mixed policy read in half precision."""

    own: Any = kind

    def _as_tensor(self: Any, dtype: Any = None, name: Any = None) -> Any:
        wanted = _casting.dtype
        if wanted is None:
            return own._as_tensor(self, dtype, name)
        with casting(None):
            return cast(own._as_tensor(self, dtype, name), wanted)

    def _dtype(self: Any) -> Any:
        if _casting.dtype is not None:
            return _casting.dtype
        found = self.__dict__.get("dtype")
        return own.dtype.__get__(self) if found is None else found

    def _set_dtype(self: Any, dtype: Any) -> None:
        self.__dict__["dtype"] = dtype

    facts = {
        "__slots__": (), "__module__": __name__, "_as_tensor": _as_tensor,
        "dtype": property(_dtype, _set_dtype, doc="What it is read as."),
    }  # fmt: skip
    return type(f"AutoCast{kind.__name__}", (kind,), facts)


AutoCastResourceVariable = _autocast(ResourceVariable)  # found here by pickle


def autocast(variable: Any) -> Any:
    """Let a variable be read in half precision where its layer is called."""
    if variable.dtype.base_dtype.is_floating:
        variable.__class__ = _autocast(type(variable))
    return variable
