"""Input: where the tensors of a functional model begin."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.dispatch import current_mode
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import ResourceHandle
from twinflow.keras.backend import defaults
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.nodes import DeferredTensor, Node
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.sparse.tensor import sparse_placeholder


class InputLayer(Layer):
    """A layer without inputs: its output is fed.

    Args:
        input_shape: the shape without the batch. batch_size: an int or None.
        dtype: a DType or name; floatx if not given.
        input_tensor: a tensor to use, not a placeholder. sparse: whether it is sparse.
        name: its name. kwargs: `batch_input_shape`.
    Raises:
        ValueError: an argument is not known, or two contradict each other.
    """

    def __init__(
        self, input_shape: Any = None, batch_size: Any = None, dtype: Any = None,
        input_tensor: Any = None, sparse: bool = False, name: str | None = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        full = kwargs.pop("batch_input_shape", None)
        if full is not None:
            if input_shape is not None or batch_size is not None:
                raise ValueError(
                    "Only provide the input_shape OR batch_input_shape argument to "
                    "InputLayer, not both at the same time."
                )
            batch_size, input_shape = full[0], tuple(full[1:])
        if kwargs:
            raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
        if not name:
            name = f"input_{defaults.get_uid('input')}"
        if dtype is None:
            dtype = defaults.floatx() if input_tensor is None else input_tensor.dtype
        dtype = dtypes.as_dtype(dtype)
        super().__init__(name=name, dtype=dtype.name)
        self.sparse, self.batch_size, self.built = sparse, batch_size, True
        self.supports_masking = True
        self.is_placeholder = input_tensor is None
        if isinstance(input_shape, TensorShape):
            input_shape = tuple(input_shape.as_list())
        tensor = input_tensor
        if isinstance(tensor, ResourceHandle):
            tensor = tensor._as_tensor()
        if tensor is None:
            shape = None if input_shape is None else (batch_size, *input_shape)
            tensor = _fed(dtype, shape, self._name, sparse)
        elif current_mode().eager:
            raise ValueError(
                "You should not pass an input tensor when executing in eager mode. For "
                "example, instead of creating an InputLayer, you should instantiate "
                "your model and directly call it on your input."
            )
        self._batch_input_shape = tuple(tensor.shape.as_list())
        tensor._keras_mask = None
        tensor._keras_history = (self, 0, 0)
        node = Node(self, [tensor], [tensor])
        node.inbound_layers = node.node_indices = node.tensor_indices = []
        self._outbound_nodes.clear()  # it does not come from itself

    def get_config(self) -> dict[str, Any]:
        return {
            "batch_input_shape": self._batch_input_shape, "dtype": self.dtype,
            "sparse": self.sparse, "name": self.name,
        }  # fmt: skip


def _fed(dtype, shape, name, sparse):
    """A placeholder, or in eager mode what stands for one."""
    if current_mode().eager:
        return DeferredTensor(shape, dtype, name)
    if sparse:
        return sparse_placeholder(dtype, shape, name)
    return placeholder(dtype, shape, name)


def Input(
    shape: Any = None, batch_size: Any = None, name: str | None = None,
    dtype: Any = None, sparse: bool = False, tensor: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """A tensor at which a functional model begins.

    Args:
        shape: its shape without the batch, with None for what is free.
        batch_size: the size of the batch; None = any.
        name: its name. dtype: floatx if not given. sparse: whether it is sparse.
        tensor: a tensor to use, not a placeholder. kwargs: `batch_shape`.
    Returns:
        a placeholder; in eager mode a DeferredTensor
    Raises:
        ValueError: neither a shape nor a tensor is given, or an argument is not known.
    Example:
        x = tf.keras.Input((3,))
        model = tf.keras.Model(x, tf.keras.layers.Dense(2)(x))
    """
    if "batch_shape" in kwargs:
        full = kwargs.pop("batch_shape")
        if shape is not None and full:
            raise ValueError(
                "Only provide the shape OR batch_shape argument to Input, not both at "
                "the same time."
            )
        batch_size, shape = full[0], tuple(full[1:])
    if kwargs:
        raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
    if shape is None and tensor is None:
        raise ValueError(
            "Please provide to Input either a `shape` or a `tensor` argument. Note "
            "that `shape` does not include the batch dimension."
        )
    layer = InputLayer(shape, batch_size, dtype, tensor, sparse, name)
    outputs = layer._inbound_nodes[0].output_tensors
    return outputs[0]
