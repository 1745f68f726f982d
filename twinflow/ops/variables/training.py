"""The updates of most optimizers: gradient descent, momentum and Adam.

The rules compute in TensorFlow's order of operations, so that the numbers agree to the
last bits, and on NumPy in as few passes as can be (Note [Pieces] in base.pieces); see
Note [Updates].
"""

import functools

import numpy as np

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.base.op import bind_first
from twinflow.base.pieces import in_pieces
from twinflow.ops.variables import training_lists
from twinflow.ops.variables.references import Assign
from twinflow.ops.variables.state import AssignVariableOp
from twinflow.ops.variables.training_forms import as_number, family, is_plain, update


# ------------------------------------------------------------------ gradient descent
def _descend(var, alpha, delta):
    return (var - delta * alpha,)


_DESCENDED = in_pieces(lambda var, alpha, delta: var - delta * alpha, 3)


def _descend_now(var, alpha, delta):
    return (_DESCENDED(var, np.asarray(alpha), delta),)


# ------------------------------------------------------------------ momentum
def _roll(var, accum, lr, grad, momentum, use_nesterov=False):
    accum = accum * momentum + grad
    if use_nesterov:
        return var - (grad * lr + accum * momentum * lr), accum
    return var - accum * lr, accum


_ROLLED = in_pieces(lambda accum, momentum, grad: accum * momentum + grad, 3)
_AHEAD = in_pieces(
    lambda accum, grad, momentum, lr: grad * lr + accum * momentum * lr, 4
)
_LESS = in_pieces(np.subtract, 2)


def _roll_now(var, accum, lr, grad, momentum, use_nesterov=False):
    momentum, lr = np.asarray(momentum), np.asarray(lr)
    accum = _ROLLED(accum, momentum, grad)
    if use_nesterov:
        return _LESS(var, _AHEAD(accum, grad, momentum, lr)), accum
    return _DESCENDED(var, lr, accum), accum


# ------------------------------------------------------------------ Adam
@bind_first
def _adapt(
    xp, var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad,
    use_nesterov=False,
):  # fmt: skip
    rate = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
    m = m + (grad - m) * (1 - beta1)
    v = v + (grad * grad - v) * (1 - beta2)
    mean = grad * (1 - beta1) + m * beta1 if use_nesterov else m
    return var - mean * rate / (xp.sqrt(v) + epsilon), m, v


_adapt_scalar = _adapt(np)


def _adapt_now(var, m, v, *inputs, use_nesterov=False):
    *numbers, grad = inputs
    if use_nesterov or not grad.ndim:
        return _adapt_scalar(var, m, v, *inputs, use_nesterov=use_nesterov)
    rates = _rates(*[n.item() for n in numbers], grad.dtype)
    return _adapted(var, m, v, grad, rates)


@functools.lru_cache(maxsize=64)
def _rates(beta1_power, beta2_power, lr, beta1, beta2, epsilon, dtype):
    """What the numbers of a step come to: the same for all its variables."""
    numbers = (beta1_power, beta2_power, lr, beta1, beta2, epsilon)
    p1, p2, lr, beta1, beta2, epsilon = (dtype.type(n) for n in numbers)
    found = lr * np.sqrt(1 - p2) / (1 - p1), 1 - beta1, 1 - beta2, epsilon
    return [np.asarray(n, dtype) for n in found]


def adam_rates(numbers, dtype):
    """What NumPy's numbers of a step come to, for training_lists.ADAPT."""
    if not all(isinstance(n, np.generic) for n in numbers):
        return None
    return tuple(_rates(*[n.item() for n in numbers], np.dtype(dtype)))


_MEAN = in_pieces(lambda m, grad, share: (grad - m) * share + m, 3)
_SQUARES = in_pieces(lambda v, grad, share: (grad * grad - v) * share + v, 3)
_SIZED = in_pieces(lambda m, v, rate, epsilon: m * rate / (np.sqrt(v) + epsilon), 4)


def _adapted(var, m, v, grad, rates):
    """The new values."""
    rate, share1, share2, epsilon = rates
    new_m, new_v = _MEAN(m, grad, share1), _SQUARES(v, grad, share2)
    return _LESS(var, _SIZED(new_m, new_v, rate, epsilon)), new_m, new_v


def apply_adam(
    var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad,
    use_locking=False,
):  # fmt: skip
    """One step of Adam; see train.adam for the equations.

    Args:
        var: a float variable. m, v: its slots, the moments of its gradient.
        beta1_power, beta2_power: the powers of the decay rates; they and lr, beta1,
            beta2 and epsilon are tensors (graph) or NumPy scalars (eager).
        grad: a tensor in the shape of `var`.
    Returns:
        The node (graph), or an empty list (eager).
    """
    numbers = (beta1_power, beta2_power, lr, beta1, beta2, epsilon)
    if is_plain(grad, var) and grad._a.ndim:
        a, b, c = var._cell, m._cell, v._cell
        rates = _rates(*[n.item() for n in numbers], grad._a.dtype)
        new = _adapted(a.read(), b.read(), c.read(), grad._a, rates)
        a.write(new[0])
        b.write(new[1])
        c.write(new[2])
        return []
    return update(ADAM, (var, m, v), (*numbers, grad), use_locking=use_locking)


# ------------------------------------------------------------------ their ops
def _renewed(rule, cells, numbers, grad):
    numbers = (*numbers, 0.0, 0.0, 0.0)[:4]
    return training_lists.renew(rule, numbers, cells, (grad,))[0]


def _descend_at_once(cells, inputs):
    return _renewed(training_lists.DESCEND, cells, inputs[:1], inputs[1])


def _roll_at_once(cells, inputs, use_nesterov=False):
    lr, grad, momentum = inputs
    rule = training_lists.LOOK_AHEAD if use_nesterov else training_lists.ROLL
    return _renewed(rule, cells, (lr, momentum), grad)


def _adapt_at_once(cells, inputs, use_nesterov=False):
    *numbers, grad = inputs
    if use_nesterov or not grad.ndim:
        return False
    rates = _rates(*[n.item() for n in numbers], grad.dtype)
    return _renewed(training_lists.ADAPT, cells, rates, grad)


GRADIENT_DESCENT = family(
    "GradientDescent", lambda xp: _descend_now if xp is np else _descend,
    renew=_descend_at_once,
)  # fmt: skip
MOMENTUM = family(
    "Momentum", lambda xp: _roll_now if xp is np else _roll, renew=_roll_at_once
)
ADAM = family(
    "Adam", lambda xp: _adapt_now if xp is np else _adapt(xp), renew=_adapt_at_once
)


# ------------------------------------------------------------------ between steps
def multiply_variable(var, factor, name=None):
    """var *= factor, for the powers of decay rates; returns as `apply_adam`."""
    factor = as_number(factor, var.dtype.base_dtype)
    observers = dispatch.observers
    if isinstance(factor, np.generic | np.ndarray) and (
        observers is None or observers.tapes is not None
    ):
        cell = var._cell
        cell.write(cell.read() * factor)
        return []
    if var.dtype._is_ref_dtype:
        attrs = {"use_locking": False}
        return apply(Assign, (var, var * factor), attrs, name).op
    inputs = (var.handle, var * factor)
    attrs = {"dtype": var.dtype, "shape": var._shape}
    return apply(AssignVariableOp, inputs, attrs, name)
