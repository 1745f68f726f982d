"""Cells around a cell: embeddings, projections and a way past the cell."""

import math
from typing import Any

from twinflow.base import nest
from twinflow.graph.variable_scope import get_variable, get_variable_scope
from twinflow.ops.core.elementwise import sigmoid
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.shape import reshape
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.random.initializers_plain import Constant, RandomUniform
from twinflow.rnn.cells.base import assert_like_rnncell
from twinflow.rnn.cells.wrappers import Wrapper

_ZERO = Constant(0.0)


def linear(args, output_size, bias=True, first=_ZERO, kernel_initializer=None):
    """[args] W + b with the variables `kernel` and `bias` of the current scope.

    Args:
        args: float[batch, n], or several of them side by side. bias: whether to add b.
        first: what b begins at; None for the initializer of the scope.
        kernel_initializer: of W; None for that of the scope.
    """
    args = args if isinstance(args, list | tuple) else [args]
    x = args[0] if len(args) == 1 else concat(list(args), 1)
    shape = [_depth_of([x]), output_size]
    product = matmul(x, get_variable("kernel", shape, x.dtype, kernel_initializer))
    if not bias:
        return product
    return bias_add(product, get_variable("bias", [output_size], x.dtype, first))


def _depth_of(args):
    for x in args:
        if x.shape.as_list()[1] is None:
            raise ValueError(
                "linear expects shape[1] to be provided for shape "
                f"{x.shape}, but saw {x.shape[1]}"
            )
    return sum(x.shape.as_list()[1] for x in args)


class Linear:
    """`linear` with variables that are made once, and used by every call.

    Args:
        args: float[batch, n], or a list of them, like those of the calls.
        output_size: the size of the results. build_bias: whether to add b.
        bias_initializer, kernel_initializer: of b (0 if not given) and of W.
    """

    def __init__(
        self, args: Any, output_size: Any, build_bias: bool,
        bias_initializer: Any = None, kernel_initializer: Any = None,
    ) -> None:  # fmt: skip
        args = args if isinstance(args, list | tuple) else [args]
        depth, dtype = _depth_of(args), args[0].dtype
        shape = [depth, output_size]
        self._weights = get_variable("kernel", shape, dtype, kernel_initializer)
        first = bias_initializer or _ZERO
        self._biases = (
            get_variable("bias", [output_size], dtype, first) if build_bias else None
        )

    def __call__(self, args: Any) -> Any:
        """[args] W + b"""
        args = args if isinstance(args, list | tuple) else [args]
        product = matmul(
            args[0] if len(args) == 1 else concat(list(args), 1), self._weights
        )
        return product if self._biases is None else bias_add(product, self._biases)


def projection(args, output_size):
    """`linear`, which makes both variables before it computes."""
    return Linear(args, output_size, True)(args)


class _Around(Wrapper):
    """A cell around another one."""

    def __init__(self, cell: Any, reuse: Any = None) -> None:
        super().__init__(cell, _reuse=reuse)
        assert_like_rnncell("cell", cell)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """That of the cell."""
        return self._cell.zero_state(batch_size, dtype)


class EmbeddingWrapper(_Around):
    """A cell whose inputs are integers, which become rows of a table first.

    Args:
        cell: an RNNCell. embedding_classes, embedding_size: the shape of the table.
        initializer: of the table; uniform with variance 1 if not given.
        reuse: whether the variables must be there already.
    """

    def __init__(
        self, cell: Any, embedding_classes: Any, embedding_size: Any,
        initializer: Any = None, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError(
                "Both embedding_classes and embedding_size must be > 0: "
                f"{embedding_classes}, {embedding_size}."
            )
        self._shape, self._initializer = (
            [embedding_classes, embedding_size],
            initializer,
        )

    def call(self, inputs: Any, state: Any) -> Any:
        first = self._initializer or get_variable_scope().initializer
        edge = math.sqrt(3)
        dtype = nest.flatten(state)[0].dtype
        table = get_variable(
            "embedding", self._shape, dtype, first or RandomUniform(-edge, edge)
        )
        return self._cell(embedding_lookup(table, reshape(inputs, [-1])), state)


class InputProjectionWrapper(_Around):
    """A cell whose inputs go through a linear layer first.

    Args:
        cell: an RNNCell. num_proj: the size that the cell gets.
        activation: a function behind the layer. input_size: accepted. reuse: as above.
    """

    def __init__(
        self, cell: Any, num_proj: Any, activation: Any = None, input_size: Any = None,
        reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(cell, reuse)
        self._num_proj, self._activation = num_proj, activation

    def call(self, inputs: Any, state: Any) -> Any:
        projected = projection(inputs, self._num_proj)
        if self._activation:
            projected = self._activation(projected)
        return self._cell(projected, state)


class OutputProjectionWrapper(_Around):
    """A cell whose outputs go through a linear layer.

    Args:
        cell: an RNNCell. output_size: the size of the outputs.
        activation: a function behind the layer. reuse: as above.
    """

    def __init__(
        self, cell: Any, output_size: Any, activation: Any = None, reuse: Any = None
    ) -> None:
        super().__init__(cell, reuse)
        if output_size < 1:
            text = f"Parameter output_size must be > 0: {output_size}."
            raise ValueError(text)
        self._output_size, self._activation = output_size, activation

    @property
    def output_size(self) -> Any:
        """That of the layer."""
        return self._output_size

    def call(self, inputs: Any, state: Any) -> Any:
        output, state = self._cell(inputs, state)
        projected = projection(output, self._output_size)
        return (self._activation(projected) if self._activation else projected), state


class HighwayWrapper(_Around):
    """A cell whose outputs are mixed with its inputs, as much as a gate says.

        c = sigmoid(x W + b),  out = (1 - c) x + c y

    Args:
        cell: an RNNCell with outputs of the size of its inputs.
        couple_carry_transform_gates: one gate for both, as above.
        carry_bias_init: what the bias begins at.
    """

    def __init__(
        self, cell: Any, couple_carry_transform_gates: bool = True,
        carry_bias_init: Any = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(cell)
        self._coupled, self._bias_init = couple_carry_transform_gates, carry_bias_init

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """One step; the variables are those of the scope around."""
        output, state = self._cell(inputs, state, scope)
        nest.assert_same_structure(inputs, output)
        return nest.map_structure(self._mixed, inputs, output), state

    def _mixed(self, x, y):
        n = x.shape.as_list()[-1]
        carry = self._gate("carry", x, n, self._bias_init)
        if self._coupled:
            return x * carry + y * (1 - carry)
        return x * carry + y * self._gate("transform", x, n, -self._bias_init)

    def _gate(self, name, x, n, first):
        weight = get_variable(f"{name}_w", [n, n], x.dtype)
        bias = get_variable(f"{name}_b", [n], x.dtype, Constant(first))
        return sigmoid(bias_add(matmul(x, weight), bias))
