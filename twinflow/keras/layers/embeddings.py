"""Embedding: rows of a table."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.keras.backend import defaults
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.policy import policy_of
from twinflow.ops.core.compare import not_equal
from twinflow.ops.core.constant import cast
from twinflow.ops.nn.embedding import embedding_lookup


class Embedding(Layer):
    """A vector for each integer.

    Args:
        input_dim: how many integers there are: inputs are in [0, input_dim).
        output_dim: the size of a vector.
        embeddings_initializer: a name or function.
        embeddings_regularizer: a function from the variable to a loss.
        activity_regularizer: a function from the output to a loss (graph mode).
        embeddings_constraint: a function from the updated value to the one to keep.
        mask_zero: whether zeros stand for padding, which later layers pass over.
        input_length: the length of the sequences, where it is constant.
        kwargs: `name`, `dtype` ...
    Raises:
        tf.errors.InvalidArgumentError: an input is out of range.
    Example:
        tf.keras.layers.Embedding(100, 8)(tf.constant([[1, 2]]))  # float32[1, 2, 8]
    """

    config = (
        "input_dim", "output_dim", "embeddings_initializer", "embeddings_regularizer",
        "activity_regularizer", "embeddings_constraint", "mask_zero", "input_length",
    )  # fmt: skip

    computes_whole = True

    def __init__(
        self, input_dim: Any, output_dim: Any, embeddings_initializer: Any = "uniform",
        embeddings_regularizer: Any = None, activity_regularizer: Any = None,
        embeddings_constraint: Any = None, mask_zero: bool = False,
        input_length: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        if "input_shape" not in kwargs and "batch_input_shape" not in kwargs:
            many = isinstance(input_length, list | tuple)
            kwargs["input_shape"] = tuple(input_length) if many else (input_length,)
        usual = None if policy_of(None) else defaults.floatx()
        dtype = kwargs.pop("dtype", usual)
        super().__init__(
            dtype=dtype, activity_regularizer=activity_regularizer, **kwargs
        )
        self.input_dim, self.output_dim = input_dim, output_dim
        self._keep_of(locals())
        self.mask_zero, self.input_length = mask_zero, input_length
        self.supports_masking = mask_zero

    def build(self, input_shape: Any) -> None:
        self._add_own("embeddings", (self.input_dim, self.output_dim))
        self.built = True

    def call(self, inputs: Any) -> Tensor:
        if inputs.dtype not in (dtypes.int32, dtypes.int64):
            inputs = cast(inputs, dtypes.int32)
        return embedding_lookup(self.embeddings, inputs)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Which inputs are not 0, if `mask_zero`; else None."""
        return not_equal(inputs, 0) if self.mask_zero else None

    def compute_output_shape(self, input_shape: Any) -> Any:
        dims = TensorShape(input_shape).as_list()
        if self.input_length is None:
            return TensorShape([*dims, self.output_dim])
        return TensorShape([dims[0], *self._lengths(dims), self.output_dim])

    def _lengths(self, dims):
        """The sizes of the axes after the batch, from what `input_length` says."""
        given = self.input_length
        given = list(given) if isinstance(given, list | tuple) else [given]
        if len(given) != len(dims) - 1:
            raise ValueError(
                f'"input_length" is {self.input_length}, but received input has shape '
                f"{dims}"
            )
        found = []
        for a, b in zip(given, dims[1:], strict=True):
            if a is not None and b is not None and a != b:
                raise ValueError(
                    f'"input_length" is {self.input_length}, but received input has '
                    f"shape {dims}"
                )
            found.append(b if a is None else a)
        return found
