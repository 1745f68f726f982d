"""Cells that compute what the layers do, from the same checkpoints."""

from typing import Any

from twinflow.base.tensor import Tensor
from twinflow.contrib.rnn.blocks import LSTMBlockCell
from twinflow.ops.core.elementwise import sigmoid, tanh
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.random.initializers_plain import Constant, Zeros
from twinflow.rnn.cells.base import depth_of
from twinflow.rnn.cells.basic import GRUCell


class CudnnCompatibleLSTMCell(LSTMBlockCell):
    """The cell of CudnnLSTM.

    Args:
        num_units: the size. reuse: see the other cells.
    """

    def __init__(self, num_units: Any, reuse: Any = None) -> None:
        super().__init__(
            num_units, forget_bias=0, reuse=reuse, name="cudnn_compatible_lstm_cell"
        )


class CudnnCompatibleGRUCell(GRUCell):
    """The cell of CudnnGRU: the reset gate acts behind the product of the state.

        c = tanh(x W + b + r (h U + b'))

    Args:
        num_units: the size. reuse, kernel_initializer: see tf.nn.rnn_cell.GRUCell.
    """

    def __init__(
        self, num_units: Any, reuse: Any = None, kernel_initializer: Any = None
    ) -> None:
        super().__init__(
            num_units, reuse=reuse, kernel_initializer=kernel_initializer,
            name="cudnn_compatible_gru_cell",
        )  # fmt: skip

    def build(self, inputs_shape: Any) -> None:
        n, depth = self._num_units, depth_of(inputs_shape)
        self._gate_kernel, self._gate_bias = self._pair(
            "gates", depth, 2 * n, Constant(1.0)
        )
        sizes = {"input": depth, "hidden": n}
        names = {what: f"candidate/{what}_projection" for what in sizes}
        first = self._kernel_initializer
        self._kernels = [
            self.add_variable(f"{names[w]}/kernel", [size, n], initializer=first)
            for w, size in sizes.items()
        ]
        self._biases = [
            self.add_variable(f"{name}/bias", [n], initializer=Zeros())
            for name in names.values()
        ]
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        gates = matmul(concat([inputs, state], 1), self._gate_kernel)
        r, u = split(sigmoid(bias_add(gates, self._gate_bias)), 2, 1)
        ours, theirs = [
            bias_add(matmul(t, w), b)
            for t, w, b in zip((inputs, state), self._kernels, self._biases)
        ]
        new = (1 - u) * tanh(ours + r * theirs) + u * state
        return new, new
