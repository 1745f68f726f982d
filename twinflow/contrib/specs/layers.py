"""The words of specs: C for convolutions, F for full layers, and what is behind them.

The second letter is the activation: r(elu), s(igmoid), t(anh), m (softmax), l(inear), x
for what the layer does by itself.
"""

from typing import Any

from twinflow.contrib.layers import convolutional, dense, normalization, pooling, simple
from twinflow.contrib.layers.batch_normalization import batch_norm
from twinflow.contrib.specs.composing import Composable, Function
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core import elementwise, joining, shape, transposing
from twinflow.ops.debugging import print as printing
from twinflow.ops.nn import activation, softmax
from twinflow.ops.nn.lrn import local_response_normalization

Id = Function(lambda x: x)


class Idx(Composable):
    """The input, marked by an identity."""

    def funcall(self, x: Any) -> Any:
        """The input."""
        return x


class Conc(Composable):
    """Several networks of one input, joined along an axis.

    Args:
        dim: the axis. args: the networks.
    """

    def __init__(self, dim: int, *args: Composable) -> None:
        self.dim, self.funs = dim, args

    def funcall(self, x: Any) -> Any:
        """Their outputs."""
        return joining.concat([f.funcall(x) for f in self.funs], self.dim)


class Shared(Composable):
    """A network whose variables are the same wherever it stands.

    Args:
        subnet: the network. name: of the scope of its variables; numbered by default.
        scope: a scope that is there.
    """

    shared_number = 1

    def __init__(
        self, subnet: Composable, name: str | None = None, scope: Any = None
    ) -> None:
        if name is None:
            name = f"Shared_{Shared.shared_number}"
            Shared.shared_number += 1
        self.subnet, self.scope, self.reuse = subnet, scope or name, False

    def funcall(self, x: Any) -> Any:
        """The network's output."""
        with variable_scope(self.scope, reuse=self.reuse or None):
            found = self.subnet.funcall(x)
        self.reuse = True
        return found


def _convolution(function: Any) -> Function:
    return Function(convolutional.convolution2d, activation_fn=function)


def _full(function: Any) -> Function:
    return Function(dense.fully_connected, activation_fn=function)


Cx = Function(convolutional.convolution2d)
Fx = Function(dense.fully_connected)
Cr = _convolution(activation.relu)
Fr = _full(activation.relu)
Cs = _convolution(elementwise.sigmoid)
Fs = _full(elementwise.sigmoid)
Ct = _convolution(elementwise.tanh)
Ft = _full(elementwise.tanh)
Cm = _convolution(softmax.softmax)
Fm = _full(softmax.softmax)
Cl = _convolution(None)
Fl = _full(None)

Ap = Function(pooling.avg_pool2d)
Mp = Function(pooling.max_pool2d)
Bn = Function(batch_norm)
Lrn = Function(local_response_normalization)
Do = Function(simple.dropout)
Flat = Function(simple.flatten)
Unit = Function(normalization.unit_norm)
Relu = Function(activation.relu)
Sig = Function(elementwise.sigmoid)
Tanh = Function(elementwise.tanh)
Smax = Function(softmax.softmax)
Reshape = Function(shape.reshape)
Squeeze = Function(shape.squeeze)
Expand = Function(shape.expand_dims)
Transpose = Function(transposing.transpose)
Print = Function(printing.Print)
Fun = Function


def Dws(n: int) -> Function:
    """A sigmoid of sums over the channels."""
    return Cs(n, [1, 1])


def Dwm(n: int) -> Function:
    """A softmax of sums over the channels."""
    return Cm(n, [1, 1])


def Var(name: str, *args: Any, **kw: Any) -> Function:
    """A variable, whatever the input is; see tf.get_variable."""
    return Function(lambda _: get_variable(name, *args, **kw))
