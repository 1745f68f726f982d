"""Variables, placeholders and random tensors, as tf.keras.backend has them."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.graph import gradients as graph_gradients
from twinflow.graph.scopes import init_scope
from twinflow.graph.scopes import name_scope as _name_scope
from twinflow.keras.backend import defaults
from twinflow.keras.engine.nodes import DeferredTensor, has_history
from twinflow.ops.arrays.placeholder import placeholder as _placeholder
from twinflow.ops.core import constant as ops_constant
from twinflow.ops.core import creation
from twinflow.ops.core.compare import less_equal, where
from twinflow.ops.matrix import diagonal
from twinflow.ops.random import draws
from twinflow.ops.random.setting import setting
from twinflow.ops.sparse.dense import sparse_tensor_to_dense
from twinflow.ops.sparse.tensor import SparseTensor, sparse_placeholder
from twinflow.ops.variables import state
from twinflow.ops.variables.resource import ResourceVariable

name_scope = _name_scope


def backend() -> str:
    """The name of what computes: "tensorflow"."""
    return "tensorflow"


def _dtype(dtype):
    return dtypes.as_dtype(dtype or defaults.floatx())


# ------------------------------------------------------------------ making
def variable(
    value: TensorValue, dtype: Any = None, name: str | None = None,
    constraint: Any = None,
) -> Any:  # fmt: skip
    """A variable with this first value."""
    if isinstance(value, SparseTensor):
        return value
    if not hasattr(value, "dtype") or isinstance(value, np.ndarray):
        value = np.asarray(value, _dtype(dtype).np)
    made = ResourceVariable(
        value, dtype=_dtype(dtype), name=name, constraint=constraint
    )
    made._keras_shape, made._uses_learning_phase = int_shape(made), False
    return made


def placeholder(
    shape: Any = None, ndim: Any = None, dtype: Any = None, sparse: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """A placeholder with this shape, or this number of axes."""
    if not shape and ndim:
        shape = (None,) * ndim
    if sparse:
        return sparse_placeholder(_dtype(dtype), shape, name)
    return _placeholder(_dtype(dtype), shape, name)


def constant(
    value: TensorValue, dtype: Any = None, shape: Any = None, name: str | None = None
) -> Any:
    """A constant tensor."""
    return ops_constant.constant(value, _dtype(dtype), shape, name or "Const")


def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of zeros; a tensor where a size is not known."""
    return _filled(creation.zeros, shape, dtype, name)


def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of ones; a tensor where a size is not known."""
    return _filled(creation.ones, shape, dtype, name)


def _filled(fill, shape, dtype, name):
    with init_scope():
        found = fill(shape, _dtype(dtype))
        known = None not in (found._shape or (None,)) or found._shape == ()
        return variable(found, dtype, name) if known else found


def eye(size: TensorValue, dtype: Any = None, name: str | None = None) -> Any:
    """A variable that holds the identity matrix."""
    return variable(diagonal.eye(size, dtype=_dtype(dtype)), dtype, name)


def zeros_like(x: TensorValue, dtype: Any = None, name: str | None = None) -> Any:
    """Zeros in the shape of x."""
    return creation.zeros_like(x, dtype, name)


def ones_like(x: TensorValue, dtype: Any = None, name: str | None = None) -> Any:
    """Ones in the shape of x."""
    return creation.ones_like(x, dtype, name)


def random_uniform_variable(
    shape: Any, low: Any, high: Any, dtype: Any = None, name: str | None = None,
    seed: int | None = None,
) -> Any:  # fmt: skip
    """A variable whose first value is uniform in [low, high)."""
    value = draws.random_uniform(
        shape, low, high, _dtype(dtype), setting.keras_seed(seed, 10**9)
    )
    return variable(value, dtype, name)


def random_normal_variable(
    shape: Any, mean: TensorValue, scale: Any, dtype: Any = None,
    name: str | None = None, seed: int | None = None,
) -> Any:  # fmt: skip
    """A variable whose first value is normal."""
    value = draws.random_normal(
        shape, mean, scale, _dtype(dtype), setting.keras_seed(seed, 10**9)
    )
    return variable(value, dtype, name)


def random_uniform(
    shape: Any, minval: TensorValue = 0.0, maxval: TensorValue = 1.0, dtype: Any = None,
    seed: int | None = None,
) -> Any:  # fmt: skip
    """Uniform in [minval, maxval)."""
    seed = setting.keras_seed(seed)
    return draws.random_uniform(shape, minval, maxval, _dtype(dtype), seed)


def random_normal(
    shape: Any, mean: TensorValue = 0.0, stddev: TensorValue = 1.0, dtype: Any = None,
    seed: int | None = None,
) -> Any:  # fmt: skip
    """Normal."""
    seed = setting.keras_seed(seed)
    return draws.random_normal(shape, mean, stddev, _dtype(dtype), seed)


def truncated_normal(
    shape: Any, mean: TensorValue = 0.0, stddev: TensorValue = 1.0, dtype: Any = None,
    seed: int | None = None,
) -> Any:  # fmt: skip
    """Normal without what is further than two deviations from the mean."""
    seed = setting.keras_seed(seed)
    return draws.truncated_normal(shape, mean, stddev, _dtype(dtype), seed)


def random_binomial(
    shape: Any, p: Any = 0.0, dtype: Any = None, seed: int | None = None
) -> Any:
    """1 with probability p, else 0."""
    dtype = _dtype(dtype)
    seed = setting.keras_seed(seed)
    drawn = draws.random_uniform(shape, dtype=dtype, seed=seed)
    ones_ = creation.ones(shape, dtype)
    return where(less_equal(drawn, p), ones_, creation.zeros(shape, dtype))


# ------------------------------------------------------------------ changing
def update(x: TensorValue, new_x: Any) -> Any:
    """Give a variable a value."""
    return state.assign(x, new_x)


def update_add(x: TensorValue, increment: Any) -> Any:
    """Add to a variable."""
    return state.assign_add(x, increment)


def update_sub(x: TensorValue, decrement: Any) -> Any:
    """Subtract from a variable."""
    return state.assign_sub(x, decrement)


# ------------------------------------------------------------------ facts
def count_params(x: TensorValue) -> Any:
    """How many numbers a variable holds."""
    return np.prod(x.shape.as_list())


def int_shape(x: TensorValue) -> Any:
    """The static shape, a tuple; None if even its rank is not known."""
    found = x.shape.as_list() if x.shape.ndims is not None else None
    return None if found is None else tuple(found)


def ndim(x: TensorValue) -> Any:
    """The number of axes; None if it is not known."""
    return x.shape.ndims


def dtype(x: TensorValue) -> Any:
    """The name of the dtype."""
    return x.dtype.base_dtype.name


def is_sparse(tensor: TensorValue) -> bool:
    """Whether this is a SparseTensor."""
    return isinstance(tensor, SparseTensor)


def to_dense(tensor: TensorValue) -> Any:
    """A SparseTensor as a tensor."""
    return sparse_tensor_to_dense(tensor) if is_sparse(tensor) else tensor


def is_keras_tensor(x: TensorValue) -> bool:
    """Whether a layer (or Input) gave this tensor; see Note [History].

    Raises:
        ValueError: it is no tensor.
    """
    if not isinstance(x, DeferredTensor | Tensor | ResourceHandle | SparseTensor):
        raise ValueError(
            f"Unexpectedly found an instance of type `{type(x)}`. Expected a symbolic "
            "tensor instance."
        )
    return has_history(x)


def gradients(loss: Any, variables: Any) -> list[Any]:
    """The gradients of a loss with respect to variables, in a graph."""
    return graph_gradients.gradients(loss, variables)


def stop_gradient(variables: Any) -> Any:
    """Tensors through which no gradient goes."""
    if isinstance(variables, list | tuple):
        return [ops_constant.stop_gradient(v) for v in variables]
    return ops_constant.stop_gradient(variables)
