"""What the helper modules of python.keras.utils and python.layers have."""

import functools
import sys

from twinflow.base import nest
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.compat.door.python_util import object_list_uid
from twinflow.graph.case import smart_constant_value
from twinflow.keras.backend.defaults import snake_case
from twinflow.keras.layers.cudnn_weights import fitted
from twinflow.keras.layers.lambda_layer import bytecode, function_of
from twinflow.keras.saving.config import CUSTOM
from twinflow.keras.utils.model_summary import count_params, print_summary
from twinflow.ops.variables.reference import RefVariable

_GLOBAL_CUSTOM_OBJECTS = CUSTOM
to_snake_case = snake_case
__all__ = ["count_params", "object_list_uid", "print_summary"]


def preprocess_weights_for_loading(
    layer, weights, original_keras_version=None, original_backend=None
):
    """Arrays of a file as a layer takes them: those of cuDNN's cells and of others.

    Args:
        layer: the layer. weights: its arrays.
        original_keras_version, original_backend: accepted; all are of Keras 2.
    """
    return fitted(layer, weights)


# ------------------------------------------------------------------ generic_utils
def func_dump(func):
    """A function as (its code in base64, the defaults, what it closes over)."""
    return bytecode(func)


def func_load(code, defaults=None, closure=None, globs=None):
    """The function that `func_dump` wrote.

    Args:
        code: the text, or all three parts. globs: the names it sees; the caller's.
    """
    if isinstance(code, tuple | list):
        code, defaults, closure = code
    if globs is None:
        globs = sys._getframe(1).f_globals
    return function_of((code, defaults, closure), globs, "The function")


# ------------------------------------------------------------------ tf_utils
def constant_value(pred):
    """The value of a bool that is known, else None."""
    if isinstance(pred, ResourceHandle):
        return None
    return smart_constant_value(pred)


def is_tensor_or_tensor_list(v):
    """Whether this is a tensor, or a list that starts with one."""
    first = v[0] if isinstance(v, list | tuple) and v else v
    return isinstance(first, Tensor | ResourceHandle)


def get_reachable_from_inputs(inputs, targets=None):
    """The tensors and ops that depend on some, with them; up to `targets` if given.

    Raises:
        TypeError: one is neither a tensor, a variable nor an op.
    """
    wanted = {id(t) for t in targets or ()}
    found, waiting = set(), list(nest.flatten(inputs))
    while waiting:
        x = waiting.pop(0)
        if x in found:
            continue
        found.add(x)
        wanted.discard(id(x))
        if targets and not wanted:
            break
        waiting += [y for y in _next(x) if y not in found]
    return found


def _next(x):
    if isinstance(x, ResourceHandle):
        start = x._variable if isinstance(x, RefVariable) else x.handle
        return start.consumers()
    if isinstance(x, Tensor):
        return x.consumers()
    if not hasattr(x, "outputs"):
        raise TypeError(f"Expected Operation, Variable, or Tensor, got {x}")
    return x.outputs


def shape_type_conversion(fn):
    """A method of an input shape that is given tuples and gives a TensorShape."""

    @functools.wraps(fn)
    def wrapped(instance, input_shape):
        if input_shape is not None:
            input_shape = _shapes(input_shape, lambda s: tuple(s.as_list()))
        found = fn(instance, input_shape)
        return found if found is None else _shapes(found, TensorShape)

    return wrapped


def _shapes(shapes, change):
    if isinstance(shapes, list):
        return [_shapes(s, change) for s in shapes]
    return change(TensorShape(shapes))


def convert_dense_weights_data_format(
    dense, previous_feature_map_shape, target_data_format="channels_first"
):
    """Put the rows of a dense layer in the order of another data format.

    Args:
        dense: the layer. previous_feature_map_shape: of the images before Flatten,
            in the new format.
    """
    kernel, bias = dense.get_weights()
    shape = tuple(previous_feature_map_shape)
    first = target_data_format == "channels_first"
    given = (*shape[1:], shape[0]) if first else (shape[-1], *shape[:-1])
    axes = (2, 0, 1) if first else (1, 2, 0)
    images = kernel.reshape(*given, kernel.shape[1])
    kernel = images.transpose(*axes, 3).reshape(kernel.shape)
    dense.set_weights([kernel, bias])


# ------------------------------------------------------------------ layers.utils
def static_shape(x):
    """The static shape of a tensor as a tuple; None where its rank is not known."""
    sizes = x.shape.as_list() if x.shape.ndims is not None else None
    return None if sizes is None else tuple(sizes)
