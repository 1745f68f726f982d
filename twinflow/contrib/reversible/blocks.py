"""Reversible residual blocks: activations are computed from outputs on the way back.

Note [Statistics]: the way back runs the parts a second time. What that does to
variables that are not trained (the moving averages of batch normalization) is taken
back, and updates that it gives to layers of a graph are dropped.
"""

import contextlib
import functools
from typing import Any

from twinflow.autodiff.custom_gradient import custom_gradient
from twinflow.autodiff.recompute import Tie, unseen
from twinflow.autodiff.tape import GradientTape
from twinflow.base.dispatch import apply, current_mode
from twinflow.base.tensor import Tensor
from twinflow.keras.engine.base_layer import Layer
from twinflow.keras.engine.layer_losses import dropped_updates
from twinflow.keras.engine.model import Model
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.joining import concat, split
from twinflow.ops.random.replay import noting, replaying


class ReversibleBlock(Model):
    """y1 = x1 + f(x2), y2 = x2 + g(y1), for the halves x1, x2 of the input.

    The input is found again from the output: x2 = y2 - g(y1), x1 = y1 - f(x2).

    Args:
        f, g: layers, or functions of a tensor, that keep the shape; those with an
            argument `training` are given it.
        axis: the axis that is halved. name: its name.
    Example:
        dense = lambda: tf.keras.layers.Dense(4, activation="tanh")
        block = tf.contrib.reversible.ReversibleBlock(dense(), dense())
        y = block(tf.ones([2, 8]))
    Reference: Gomez et al., The reversible residual network (NIPS 2017), algorithm 1.
    """

    def __init__(self, f: Any, g: Any, axis: Any = -1, name: str | None = None) -> None:
        super().__init__(name=name)
        self.f, self.g, self.axis = f, g, axis

    def call(self, x: Any, training: bool = True, draws: Any = None) -> Any:
        x1, x2 = split(x, 2, self.axis)
        y1 = x1 + _run(self.f, x2, training, draws)
        y2 = x2 + _run(self.g, y1, training, draws)
        return concat([y1, y2], self.axis)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def backward_grads(self, *args: Any, training: bool = True) -> Any:
        """Gradients by Algorithm 1, from the output or with the input at hand.

        backward_grads(y, dy) -> (x, dx, grads) and backward_grads(x, y, dy) ->
        (dx, grads); `training` may also come last.

        Args:
            x, y: the input and the output; dy: the gradient of the output. Tensors, or
                pairs of halves: the results are alike.
            training: as in the call that gave y.
        Returns:
            x: the input, from the output. dx: its gradient. grads: those of
            `f.trainable_variables + g.trainable_variables`.
        Raises:
            TypeError: other arguments.
        """
        found = self.backward_grads_and_vars(*args, training=training)
        return found[:-1]

    def backward_grads_and_vars(self, *args: Any, training: bool = True) -> Any:
        """`backward_grads`, with the list of variables behind the gradients."""
        tensors, training = _sorted(args, training)
        y, dy = tensors[-2:]
        held = [*_halves(y, self), *_halves(dy, self)]
        x, dx, slopes = self.take_back(held, training)
        if isinstance(y, Tensor):
            x, dx = concat(x, self.axis), concat(dx, self.axis)
        variables = self.trainable_variables
        grads = [slopes.get(v) for v in variables]
        given = (x, dx, grads, variables)
        return given[1:] if len(tensors) == 3 else given

    def take_back(self, held: Any, training: bool = True, draws: Any = ()) -> Any:
        """Input, its gradient, and those of the variables, all as halves.

        Args:
            held: [y1, y2, dy1, dy2]; the list is emptied, to let go of them early.
            training: as in `call`.
            draws: the states before the draws of f and of g; see ops.random.replay.
        Returns:
            ((x1, x2), (dx1, dx2), {variable: gradient})
        """
        f_draws, g_draws = draws or (None, None)
        with kept_statistics(self):
            gy1, dg, slopes = _slopes(self.g, held[0], held[3], training, g_draws)
            x2, held[1] = held[1] - gy1, None
            dx1, held[2] = held[2] + dg, None
            del gy1, dg
            fx2, df, more = _slopes(self.f, x2, dx1, training, f_draws)
            x1, dx2 = held[0] - fx2, held[3] + df
        del held[:]
        return (x1, x2), (dx1, dx2), _added(slopes, more)


class ReversibleSequence(Layer):
    """Blocks one after the other; reversible ones keep only the last output.

    Gradients (of tapes, tf.gradients, in functions) come from the output: memory does
    not grow with the number of blocks, for about a third more time. Random numbers,
    as of dropout, are drawn again, and moving statistics move once.

    Args:
        blocks: ReversibleBlocks, pairs (f, g) for them, or other layers, of which the
            input is kept; all run again on the way back.
        axis: the axis that is halved, for pairs.
        reversible: False = keep all activations: the same numbers, in the usual way.
        name: its name.
    Example:
        pairs = [(tf.keras.layers.Dense(4), tf.keras.layers.Dense(4)) for _ in range(9)]
        net = tf.contrib.reversible.ReversibleSequence(pairs)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(net(tf.ones([2, 8])))
        grads = tape.gradient(loss, net.trainable_variables)
    """

    def __init__(
        self, blocks: Any, axis: Any = -1, reversible: bool = True,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name=name)
        self.blocks = [
            ReversibleBlock(*b, axis=axis) if isinstance(b, tuple | list) else b
            for b in blocks
        ]
        self.reversible = reversible

    def call(self, x: Any, training: bool = True) -> Any:
        if self.reversible and self.blocks:
            return self._run_reversibly(x, training)
        for block in self.blocks:
            x = _run(block, x, training)
        return x

    def compute_output_shape(self, input_shape: Any) -> Any:
        for block in self.blocks:
            input_shape = block.compute_output_shape(input_shape)
        return input_shape

    def _run_reversibly(self, x, training):
        @custom_gradient
        def run(h):
            inputs, draws = [], []
            for block in self.blocks:
                states: list = []
                reverses = isinstance(block, ReversibleBlock)
                inputs.append(None if reverses else h)
                once = functools.partial(_drawn, block, training=training, draws=states)
                h = unseen(once, [h])
                draws.append(states)

            def grad(dy, variables=()):
                held = [*inputs, h, dy]
                _, dx, slopes = self._reverse(held, training, draws)
                return (dx, [slopes.get(v) for v in variables]) if variables else dx

            return h, grad

        return run(x)

    def backward_grads(self, *args: Any, training: bool = True) -> Any:
        """Gradients from the output, or with the input at hand.

        backward_grads(y, dy) -> (x, dx, grads) and backward_grads(x, y, dy) ->
        (dx, grads); `training` may also come last. See ReversibleBlock.

        Raises:
            ValueError: a layer that is not reversible stands elsewhere than first, or
                first where x is not given.
        """
        tensors, training = _sorted(args, training)
        count = len(tensors)
        x = tensors[0] if count == 3 else None
        held = [x, *[None] * (len(self.blocks) - 1), *tensors[-2:]]
        del args, tensors  # so that y and dy can go as soon as they are used
        x, dx, slopes = self._reverse(held, training)
        grads = [slopes.get(v) for v in self.trainable_variables]
        return (dx, grads) if count == 3 else (x, dx, grads)

    def _reverse(self, held, training, draws=None):
        """(x, dx, {variable: gradient}).

        Args:
            held: the input of each block where it is kept, else None; the output; its
                gradient. The list is emptied on the way.
        """
        slopes: dict = {}
        dy, y = Joined(held.pop()), Joined(held.pop())
        y = Joined(apply(Tie, (y.value, dy.value)))
        for i in reversed(range(len(self.blocks))):
            block, x, drawn = self.blocks[i], held.pop(), draws[i] if draws else ()
            if isinstance(block, ReversibleBlock):
                halves = [*y.halves(block.axis), *dy.halves(block.axis)]
                del y, dy
                y, dy, more = block.take_back(halves, training, drawn)
                y, dy = Joined(y, block.axis), Joined(dy, block.axis)
            else:
                dy, y = dy.whole(), None
                y, dy, more = _again(block, x, dy, training, drawn)
            slopes = _added(slopes, more)
        return y.whole(), dy.whole(), slopes


class Joined:
    """A tensor, or its halves along an axis: joined only where that is needed."""

    def __init__(self, value, axis=None):
        self.value, self.axis = value, axis

    def whole(self):
        """The tensor."""
        return self.value if self.axis is None else concat(self.value, self.axis)

    def halves(self, axis):
        """Its halves along `axis`."""
        return self.value if axis == self.axis else split(self.whole(), 2, axis)


def _again(layer, x, dy, training, draws):
    """The input of a layer that is not reversible, and the gradients."""
    if x is None:
        raise ValueError(
            f"The layer {layer.name!r} is not reversible: its input is not known. Give "
            "backward_grads(x, y, dy), with this layer first, or use a GradientTape."
        )
    states = [state for drawn in draws for state in drawn]
    with kept_statistics(layer):
        _, dx, slopes = _slopes(layer, apply(Tie, (x, dy)), dy, training, states)
    return Joined(x), Joined(dx), slopes


@contextlib.contextmanager
def kept_statistics(layer: Any) -> Any:
    """Take back what the block does to variables that are not trained."""
    mode = current_mode()
    at_once = mode.eager or getattr(mode, "is_function", False)
    variables = layer.non_trainable_variables if at_once else []
    before = [(v, v.read_value()) for v in variables]
    with dropped_updates():
        yield
    for variable, value in before:
        variable.assign(value)


def _drawn(block, x, training, draws):
    """A block of a sequence; the states before what it draws are added to `draws`."""
    if isinstance(block, ReversibleBlock):
        return block(x, training=training, draws=draws)
    return _run(block, x, training, draws)


def _run(part, x, training, draws=None):
    """f or g; the states before what it draws are added to `draws`."""
    takes = isinstance(part, Layer) and part._takes("training")
    once = functools.partial(part, x, **({"training": training} if takes else {}))
    if draws is None:
        return once()
    with noting() as states:
        y = once()
    draws.append(states)
    return y


def _slopes(part, x, dy, training, draws):
    """(part(x), the gradient of x, {variable: gradient})"""
    again = replaying(draws) if draws else contextlib.nullcontext()
    with GradientTape() as tape, again:
        tape.watch(x)
        y = _run(part, x, training)
    variables = tape.watched_variables()
    dx, *grads = tape.gradient(y, [x, *variables], dy, "zero")
    return y, dx, dict(zip(variables, grads, strict=True))


def _added(slopes, more):
    """Gradients by variable, added up where blocks share one."""
    shared = {
        v: convert_to_tensor(slopes[v]) + convert_to_tensor(g)
        for v, g in more.items()
        if v in slopes
    }
    return slopes | more | shared


def _halves(x, block):
    return split(x, 2, block.axis) if isinstance(x, Tensor) else x


def _sorted(args, training):
    """([x,] y, dy) and `training`, which may be the last argument."""
    if args and isinstance(args[-1], bool):
        *args, training = args
    if len(args) not in (2, 3):
        raise TypeError(
            f"backward_grads takes (y, dy) or (x, y, dy), and training; got {len(args)}"
            " arguments."
        )
    return args, training
