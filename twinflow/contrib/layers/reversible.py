"""Reversible residual layers of tf.contrib.layers, and gradients made longer."""

import functools
from collections.abc import Callable
from typing import Any, overload

from twinflow.autodiff import recompute
from twinflow.autodiff.custom_gradient import custom_gradient
from twinflow.base.annotations import Called
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.contrib.reversible.blocks import ReversibleBlock, ReversibleSequence
from twinflow.graph.scopes import tuple as in_one_tuple
from twinflow.graph.variable_scope import (
    AUTO_REUSE,
    get_variable_scope,
    variable_scope,
)
from twinflow.keras.engine.scoped_layer import Layer
from twinflow.ops.core.constant import identity
from twinflow.ops.core.joining import concat, split

LAYER_RE = ".*revlayer_([0-9]*)/([fg])/.*"


class RevBlock(Layer):
    """Layers y1 = x1 + f(x2), y2 = x2 + g(y1), one after the other.

    The way back finds the inputs from the outputs, and keeps nothing between.

    Args:
        f, g: functions of a tensor that keep its shape, or lists of one for each
            layer.
        num_layers: how many layers there are.
        f_side_input, g_side_input: lists of tensors that f and g get as a second
            argument; with them all activations are kept.
        use_efficient_backprop: False: keep all activations.
        name: its name and that of its scope. kwargs: see tf.layers.Layer.
    Raises:
        ValueError: a list has another length.
    Reference: Gomez et al., The reversible residual network (NIPS 2017).
    """

    def __init__(
        self, f: Any, g: Any, num_layers: int = 1, f_side_input: Any = None,
        g_side_input: Any = None, use_efficient_backprop: bool = True,
        name: str = "revblock", **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, **kwargs)
        fs, gs = (v if isinstance(v, list) else [v] * num_layers for v in (f, g))
        if not len(fs) == len(gs) == num_layers:
            raise ValueError(
                f"f and g must have num_layers ({num_layers}) functions, got {len(fs)} "
                f"and {len(gs)}"
            )
        self.f_side_input, self.g_side_input = f_side_input or [], g_side_input or []
        parts = [
            (self._part(i, "f", fs[i]), self._part(i, "g", gs[i]))
            for i in range(num_layers)
        ]
        efficient = use_efficient_backprop and not (f_side_input or g_side_input)
        self.__dict__["_pairs"] = parts
        self.__dict__["_sequence"] = ReversibleSequence(
            [ReversibleBlock(*pair) for pair in parts], reversible=efficient
        )

    def _part(self, i, kind, function):
        """f or g of a layer, with its variables in their scope wherever it runs."""
        side = self.f_side_input if kind == "f" else self.g_side_input

        def part(x):
            around = variable_scope(self._scope, auxiliary_name_scope=False)
            inside = variable_scope(f"revlayer_{i}/{kind}", reuse=AUTO_REUSE)
            with around, inside:
                return function(x, side) if side else function(x)

        return part

    def build(self, input_shape: Any) -> None:
        """f and g make their variables themselves."""
        self.built = True

    def call(self, inputs: Any, forward: bool = True) -> tuple[Any, ...]:
        """(y1, y2) for (x1, x2), or, with `forward=False`, the other way round."""
        if not forward:
            return self._inverse(*inputs)
        return tuple(split(self._sequence(concat(list(inputs), -1)), 2, -1))

    def _inverse(self, y1, y2):
        for f, g in reversed(self._pairs):
            x2 = y2 - g(y1)
            y1, y2 = y1 - f(x2), x2
        return y1, y2

    def forward(self, x1: Any, x2: Any) -> tuple[Any, ...]:
        """(y1, y2)"""
        return self((x1, x2))

    def backward(self, y1: Any, y2: Any) -> tuple[Any, ...]:
        """(x1, x2)"""
        return self((y1, y2), forward=False)


def rev_block(
    x1: Any, x2: Any, f: Any, g: Any, num_layers: int = 1, f_side_input: Any = None,
    g_side_input: Any = None, is_training: bool = True,
) -> tuple[Any, ...]:  # fmt: skip
    """Reversible residual layers: y1 = x1 + f(x2), y2 = x2 + g(y1).

    Args:
        x1, x2: tensors of one shape.
        f, g, num_layers, f_side_input, g_side_input: see RevBlock.
        is_training: False: in the usual way.
    Returns:
        (y1, y2)
    Example:
        with tf.Graph().as_default(), tf.Session() as sess:
            x = tf.ones([1, 2])
            f = lambda x: x * 2.
            y1, y2 = tf.contrib.layers.rev_block(x, x, f, f)
            found = sess.run(y2)
        found  # [[7., 7.]]
    """
    block = RevBlock(
        f, g, num_layers, f_side_input, g_side_input, use_efficient_backprop=is_training
    )
    return block.forward(x1, x2)


@overload
def recompute_grad(
    *, use_data_dep: Any = True, tupleize_grads: Any = False
) -> Callable[[Called], Called]: ...
@overload
def recompute_grad(
    fn: Called, use_data_dep: Any = True, tupleize_grads: Any = False
) -> Called: ...
def recompute_grad(
    fn: Any = None, use_data_dep: Any = True, tupleize_grads: Any = False
) -> Any:
    """Let a function keep nothing but its inputs for its gradient.

    On the way back `fn` runs once more, in the variable scope of its first run, whose
    variables it uses again, and with the same random numbers.

    Args:
        fn: a function of tensors that returns a tensor or a structure of tensors;
            without it a decorator with the other arguments is made.
        use_data_dep: make the second run wait for the incoming gradient, which keeps
            a compiler from sharing the two runs.
        tupleize_grads: accepted; the gradients come together anyway.
    Returns:
        The function of the same arguments, or the decorator.
    Raises:
        ValueError: the function is given something else than tensors, or uses tensors
            from around it, which would get no gradients.
    Example:
        block = tf.contrib.layers.recompute_grad(lambda x: tf.layers.dense(x, 64))
    Reference: Chen et al., Training deep nets with sublinear memory cost (2016).
    """
    if fn is None:
        return functools.partial(
            recompute_grad, use_data_dep=use_data_dep, tupleize_grads=tupleize_grads
        )
    known = [n for n in functools.WRAPPER_ASSIGNMENTS if hasattr(fn, n)]

    @functools.wraps(fn, known, ())
    def wrapped(*args: Any) -> Any:
        _check_closure(fn)
        if not all(isinstance(x, Tensor | ResourceHandle) for x in args):
            raise ValueError("All inputs to function must be Tensors")
        run = _Again(fn)
        return recompute.recompute_grad(run, use_data_dep, tupleize_grads)(*args)

    return wrapped


class _Again:
    """A function whose later runs use the variables of the first one."""

    __name__ = "fn_with_recompute"

    def __init__(self, fn):
        self._fn, self._scope, self._ran = fn, get_variable_scope(), False

    def __call__(self, *args):
        if not self._ran or current_mode().eager:
            self._ran = True
            return self._fn(*args)
        with variable_scope(self._scope, reuse=True, auxiliary_name_scope=False):
            return self._fn(*args)


def _check_closure(fn):
    code, cells = getattr(fn, "__code__", None), getattr(fn, "__closure__", None)
    for name, cell in zip(code.co_freevars if cells else (), cells or (), strict=True):
        value = cell.cell_contents
        if isinstance(value, Tensor):
            raise ValueError(
                f"fn decorated with @recompute_grad closes over Tensor {value.name} "
                f"(local variable name: {name}). The decorated fn must not close over "
                "Tensors or Variables because gradients will NOT be computed for them "
                "through fn. To ensure correct gradients, make the Tensor an input to "
                "fn."
            )


def _rev_layer_forward(
    xs: Any, f: Any, g: Any, f_side_input: Any, g_side_input: Any,
    gate_outputs: bool = False,
) -> tuple:  # fmt: skip
    """(y1, y2) of one layer, in the usual way."""
    x1, x2 = xs
    y1 = x1 + (f(x2, f_side_input) if f_side_input else f(x2))
    y2 = x2 + (g(y1, g_side_input) if g_side_input else g(y1))
    return tuple(in_one_tuple([y1, y2])) if gate_outputs else (y1, y2)


def _rev_block_forward(
    x1: Any, x2: Any, f: Any, g: Any, num_layers: int = 1, f_side_input: Any = None,
    g_side_input: Any = None, gate_outputs: bool = False,
) -> tuple:  # fmt: skip
    """(y1, y2) of all layers, in the usual way and in the scopes of the caller."""
    fs, gs = (v if isinstance(v, list) else [v] * num_layers for v in (f, g))
    out = x1, x2
    for f_i, g_i in zip(fs, gs, strict=True):
        out = _rev_layer_forward(
            out, f_i, g_i, f_side_input, g_side_input, gate_outputs
        )
    return out


def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """`inputs`, whose gradient is multiplied on the way back.

    Args:
        inputs: a tensor of floats. gradient_multiplier: what its gradient is
            multiplied with.
    Example:
        x = tf.constant([1., 2.])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.contrib.layers.scale_gradient(x, 3.)
        tape.gradient(y, x)  # [3., 3.]
    """

    @custom_gradient
    def scaled(x):
        return identity(x), lambda dy: dy * gradient_multiplier

    return scaled(inputs)
