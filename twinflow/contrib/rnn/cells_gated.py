"""More gated cells: NAS, intersection, phased and grouped ones."""

import functools
import math
from typing import Any

from twinflow.base.advice import advised
from twinflow.contrib.rnn.wrappers import linear
from twinflow.graph.variable_scope import (
    get_variable,
    get_variable_scope,
    variable_scope,
)
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import cast, stop_gradient
from twinflow.ops.core.division import mod
from twinflow.ops.core.elementwise import exp, sigmoid, tanh
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.product import matmul
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.bias import bias_add
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.random.initializers_plain import Constant, Zeros
from twinflow.rnn.cells.base import RNNCell, of_units
from twinflow.rnn.cells.lstm import LSTMStateTuple


class NASCell(RNNCell):
    """The cell that a search over cells found best.

    Args:
        num_units: the size of the memory. num_proj: that of the output, if projected.
        use_biases: whether there is a bias. reuse: see the other cells.
    Reference: Zoph and Le, Neural architecture search with reinforcement learning
    (2016).
    """

    def __init__(
        self, num_units: Any, num_proj: Any = None, use_biases: bool = False,
        reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._num_proj = num_units, num_proj
        self._use_biases = use_biases

    @property
    def state_size(self) -> Any:
        """Those of c and h."""
        return LSTMStateTuple(self._num_units, self.output_size)

    @property
    def output_size(self) -> Any:
        """`num_proj` or `num_units`."""
        return self._num_proj or self._num_units

    def call(self, inputs: Any, state: Any) -> Any:
        c, h = state
        n, m, dtype = self._num_units, self.output_size, inputs.dtype
        depth = inputs.shape.with_rank(2)[1].value
        if depth is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        recurrent = get_variable("recurrent_kernel", [m, 8 * n], dtype)
        kernel = get_variable("kernel", [depth, 8 * n], dtype)
        hs, xs = matmul(h, recurrent), matmul(inputs, kernel)
        if self._use_biases:
            hs = bias_add(hs, get_variable("bias", [8 * n], dtype, Zeros()))
        c, h = _nas(split(hs, 8, 1), split(xs, 8, 1), c)
        if self._num_proj is not None:
            h = matmul(h, get_variable("projection_weights", [n, m], dtype))
        return h, LSTMStateTuple(c, h)


def _nas(h, x, c):
    """(c, h) by the tree of the paper."""
    s = [a + b for a, b in zip(x, h, strict=True)]
    first = tanh(sigmoid(s[0]) * relu(s[1]))
    second = tanh(sigmoid(s[2]) + relu(x[3] * h[3]))
    third = tanh(tanh(s[4]) * sigmoid(s[5]))
    fourth = sigmoid(tanh(s[6]) + sigmoid(s[7]))
    new = tanh(first + c) * second
    return new, tanh(new * tanh(third + fourth))


class IntersectionRNNCell(RNNCell):
    """A cell with a gated way past it in depth and in time.

    Args:
        num_units: the size. num_in_proj: what inputs are projected to first; needed
            where they have another size. initializer: of the variables.
        forget_bias: added in both gates. y_activation: a function. reuse: see the
            other cells.
    Raises:
        ValueError: (when called) inputs have another size than outputs.
    Reference: Collins et al., Capacity and trainability in recurrent neural networks.
    """

    def __init__(
        self, num_units: Any, num_in_proj: Any = None, initializer: Any = None,
        forget_bias: Any = 1.0, y_activation: Any = relu, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._num_in_proj = num_units, num_in_proj
        self._initializer, self._forget_bias = initializer, forget_bias
        self._y_activation = y_activation

    state_size = output_size = of_units()

    def call(self, inputs: Any, state: Any) -> Any:
        around, n = get_variable_scope(), self._num_units
        depth = inputs.shape.with_rank(2)[1].value
        if depth is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        first = self._initializer or around.initializer
        with variable_scope(around, initializer=first):
            if depth != n:
                if not self._num_in_proj:
                    raise ValueError(
                        "Must have input size == output size for Intersection RNN. To "
                        "fix, num_in_proj should be set to num_units at cell init."
                    )
                with variable_scope("in_projection"):
                    inputs = linear(inputs, n)
            parts = linear([inputs, state], 4 * n)
        gate_h, h, gate_y, y = split(parts, 4, 1)
        gate_h = sigmoid(gate_h + self._forget_bias)
        gate_y = sigmoid(gate_y + self._forget_bias)
        new = gate_h * state + (1.0 - gate_h) * tanh(h)
        return gate_y * inputs + (1.0 - gate_y) * self._y_activation(y), new


def random_exp_initializer(minval, maxval, seed=None):
    """Numbers whose logarithms are uniform between those of the two."""

    def made(shape, dtype="float32", partition_info=None):
        low, high = math.log(minval), math.log(maxval)
        return exp(random_uniform(shape, low, high, dtype, seed=seed))

    return made


class PhasedLSTMCell(RNNCell):
    """An LSTM whose units open and close in cycles of their own.

    Call it with inputs (float[batch, 1], the times; float[batch, size]).

    Args:
        num_units: the size. use_peepholes: whether gates see the memory.
        leak: how much passes a closed unit. ratio_on: the part of a cycle in which a
            unit is open, at first. trainable_ratio_on: whether it is trained.
        period_init_min, period_init_max: the range of periods at first.
        reuse: see the other cells.
    Reference: Neil et al., Phased LSTM (2016).
    """

    def __init__(
        self, num_units: Any, use_peepholes: bool = False, leak: Any = 0.001,
        ratio_on: Any = 0.1, trainable_ratio_on: bool = True,
        period_init_min: Any = 1.0, period_init_max: Any = 1000.0, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._leak = (
            num_units,
            use_peepholes,
            leak,
        )
        self._ratio_on, self._trainable_ratio_on = ratio_on, trainable_ratio_on
        self._periods = (period_init_min, period_init_max)

    @property
    def state_size(self) -> Any:
        """Those of c and h."""
        return LSTMStateTuple(self._num_units, self._num_units)

    output_size = of_units()

    def _linear(self, name, args, size):
        with variable_scope(name):
            return linear(args, size)

    def call(self, inputs: Any, state: Any) -> Any:
        (c, h), (time, x), n = state, inputs, self._num_units
        seen = [x, h, *([c] if self._use_peepholes else [])]
        masks = sigmoid(self._linear("mask_gates", seen, 2 * n))
        i, f = split(masks, 2, 1)
        new = tanh(self._linear("new_input", [x, h], n))
        new_c = c * f + i * new
        seen = [x, h, *([new_c] if self._use_peepholes else [])]
        new_h = tanh(new_c) * sigmoid(self._linear("output_gate", seen, n))
        k = self._openness(time, x.dtype)
        new_c = k * new_c + (1 - k) * c
        new_h = k * new_h + (1 - k) * h
        return new_h, LSTMStateTuple(new_c, new_h)

    def _openness(self, time, dtype):
        """How open each unit is at a time."""
        size = [self._num_units]
        first = random_exp_initializer(*self._periods)
        period = get_variable("period", size, dtype, first)
        phase = get_variable("phase", size, dtype, functools.partial(_below, period))
        ratio = get_variable(
            "ratio_on", size, dtype, Constant(self._ratio_on),
            trainable=self._trainable_ratio_on,
        )  # fmt: skip
        cycle = _cycle_ratio(time, phase, period)
        up = 2 * cycle / ratio
        k = where(less(cycle, ratio), 2 - up, self._leak * cycle)
        return where(less(cycle, 0.5 * ratio), up, k)


def _below(period, shape, dtype="float32", partition_info=None):
    """Uniform numbers between 0 and what `period` begins at."""
    part = random_uniform(shape, dtype=dtype)
    return part * getattr(period, "initialized_value", lambda: period)()


def _cycle_ratio(time, phase, period):
    """Where in its cycle each unit is; the gradient takes no notice of new cycles."""
    shifted = time - cast(phase, time.dtype)
    long = cast(period, time.dtype)
    rest = stop_gradient(mod(shifted, long) - shifted) + shifted
    return cast(rest / long, "float32")


class GLSTMCell(RNNCell):
    """LSTMs for groups of units.

    Args:
        num_units: the size of the memory. initializer: of the variables.
        num_proj: the size of the output, if projected. number_of_groups: a divisor of
            these and of the size of the input. forget_bias: added in the forget gate.
        activation: a function. reuse: see the other cells.
    Raises:
        ValueError: a size is not divisible.
    Reference: Kuchaiev and Ginsburg, Factorization tricks for LSTM networks (2017).
    """

    def __init__(
        self, num_units: Any, initializer: Any = None, num_proj: Any = None,
        number_of_groups: int = 1, forget_bias: Any = 1.0, activation: Any = tanh,
        reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._num_proj = num_units, num_proj
        self._initializer, self._groups = initializer, number_of_groups
        self._forget_bias, self._activation = forget_bias, activation
        if self._groups < 1:
            raise ValueError("number_of_groups should be >= 1")
        for name, size in {"num_units": num_units, "num_proj": num_proj}.items():
            if size and size % number_of_groups:
                raise ValueError(f"{name} must be divisible by number_of_groups")

    @property
    def state_size(self) -> Any:
        """Those of c and h."""
        return LSTMStateTuple(self._num_units, self.output_size)

    @property
    def output_size(self) -> Any:
        """`num_proj` or `num_units`."""
        return self._num_proj or self._num_units

    def call(self, inputs: Any, state: Any) -> Any:
        depth = inputs.shape[1].value
        if depth is None:
            raise advised(ValueError, "input size must be statically known")
        if depth % self._groups:
            raise ValueError(
                f"input size ({depth}) must be divisible by number_of_groups "
                f"({self._groups})"
            )
        around = get_variable_scope()
        first = self._initializer or around.initializer
        with variable_scope(around, initializer=first):
            c, h = self._step(inputs, *state)
        if self._num_proj is not None:
            with variable_scope("projection"):
                h = linear(h, self._num_proj, bias=False)
        return h, LSTMStateTuple(c, h)

    def _step(self, inputs, c, h):
        n, groups = self._num_units, self._groups
        rows = zip(split(inputs, groups, 1), split(h, groups, 1), strict=True)
        parts = []
        for i, (x, part) in enumerate(rows):
            with variable_scope(f"group{i}"):
                gates = linear([x, part], 4 * n // groups, bias=False)
            parts.append(split(gates, 4, 1))
        i, j, f, o = [
            bias_add(concat(list(p), 1), self._bias(name, inputs.dtype))
            for p, name in zip(zip(*parts), "ijfo", strict=True)
        ]
        c = sigmoid(f + self._forget_bias) * c + sigmoid(i) * tanh(j)
        return c, sigmoid(o) * self._activation(c)

    def _bias(self, name, dtype):
        return get_variable(f"bias_{name}", [self._num_units], dtype, Constant(0.0))
