"""The updates of optimizers: ops on a variable, its slots and a gradient.

The equations are computed in TensorFlow's order of operations, so that the numbers
agree to the last bits. Numbers (learning rates ...) have the dtype of the variable.
"""

import functools

import numpy as np

from twinflow.base import dispatch
from twinflow.base.dispatch import apply
from twinflow.base.op import FLOAT, define
from twinflow.ops.infer import merge, text
from twinflow.ops.variables.references import Assign, ref_form
from twinflow.ops.variables.state import AssignVariableOp
from twinflow.ops.variables.training_forms import as_number, is_plain


def _fits(shape, grad, what):
    merge(
        shape, grad._shape,
        f"var and {what} do not have the same shape{text(shape)} {text(grad._shape)}",
    )  # fmt: skip
    return []


# ------------------------------------------------------------------ gradient descent
def _descend(var, alpha, delta, shape=None):
    return (), var - delta * alpha


def _descend_now(var, alpha, delta, shape=None):
    step = delta * alpha
    if step.ndim:
        return (), np.subtract(var, step, step)
    return (), var - step


ResourceApplyGradientDescent = define(
    "ResourceApplyGradientDescent(var: resource, alpha: T, delta: T) -> (); shape=None",
    infer=lambda var, alpha, delta, shape: _fits(shape, delta, "delta"),
    step=lambda xp: _descend_now if xp is np else _descend,
    cell="var",
    types=FLOAT,
)


ApplyGradientDescent = ref_form(
    ResourceApplyGradientDescent, "var: ref T, alpha: T, delta: T", "out"
)


def applied(op, ref_op, variables, inputs, attrs, name, use_locking=False):
    """The op on the variables: the node on references, or what `op` gives."""
    if variables[0].dtype._is_ref_dtype:
        attrs = {**attrs, "use_locking": use_locking}
        return apply(ref_op, (*variables, *inputs), attrs, name).op
    handles = [v.handle for v in variables]
    attrs = {**attrs, "shape": variables[0]._shape}
    return apply(op, (*handles, *inputs), attrs, name)


def apply_gradient_descent(var, alpha, delta, name=None, use_locking=False):
    """var -= alpha * delta.

    Args:
        var: a float variable. alpha: a number. delta: a tensor in the shape of `var`.
    Returns:
        The node (graph), or an empty list (eager).
    """
    alpha = as_number(alpha, var.dtype.base_dtype)
    if is_plain(delta, var):
        cell = var._cell
        cell.write(_descend_now(cell.read(), alpha, delta._a)[1])
        return []
    ops = ResourceApplyGradientDescent, ApplyGradientDescent
    return applied(*ops, [var], (alpha, delta), {}, name, use_locking)


# ------------------------------------------------------------------ momentum
def _roll(var, accum, lr, grad, momentum, use_nesterov=False, shape=None):
    accum = accum * momentum + grad
    if use_nesterov:
        return (), (var - (grad * lr + accum * momentum * lr), accum)
    return (), (var - accum * lr, accum)


def _roll_now(var, accum, lr, grad, momentum, use_nesterov=False, shape=None):
    if not grad.ndim:
        return _roll(var, accum, lr, grad, momentum, use_nesterov)
    accum = accum * momentum
    accum += grad
    if use_nesterov:
        step = accum * momentum
        step *= lr
        step += grad * lr
    else:
        step = accum * lr
    return (), (np.subtract(var, step, step), accum)


ResourceApplyMomentum = define(
    "ResourceApplyMomentum(var: resource, accum: resource, lr: T, grad: T, momentum: T)"
    " -> (); use_nesterov=False, shape=None",
    infer=lambda var, accum, lr, grad, momentum, use_nesterov, shape: _fits(
        shape, grad, "grad"
    ),
    step=lambda xp: _roll_now if xp is np else _roll,
    cell=("var", "accum"),
    types=FLOAT,
)


ApplyMomentum = ref_form(
    ResourceApplyMomentum,
    "var: ref T, accum: ref T, lr: T, grad: T, momentum: T", "out",
)  # fmt: skip


def apply_momentum(
    var, accum, lr, grad, momentum, use_nesterov=False, name=None, use_locking=False
):
    """accum = accum * momentum + grad; var -= lr * accum.

    With `use_nesterov`: var -= lr * grad + lr * momentum * accum.

    Args:
        var: a float variable. accum: its slot. lr, momentum: numbers.
        grad: a tensor in the shape of `var`.
    Returns:
        The node (graph), or an empty list (eager).
    """
    dtype = var.dtype.base_dtype
    lr, momentum = as_number(lr, dtype), as_number(momentum, dtype)
    if is_plain(grad, var):
        c, d = var._cell, accum._cell
        _, new = _roll_now(c.read(), d.read(), lr, grad._a, momentum, use_nesterov)
        c.write(new[0])
        d.write(new[1])
        return []
    ops, attrs = (ResourceApplyMomentum, ApplyMomentum), {"use_nesterov": use_nesterov}
    inputs = lr, grad, momentum
    return applied(*ops, [var, accum], inputs, attrs, name, use_locking)


# ------------------------------------------------------------------ Adam
def _adapt(xp):
    def step(
        var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad,
        use_nesterov=False, shape=None,
    ):  # fmt: skip
        rate = lr * xp.sqrt(1 - beta2_power) / (1 - beta1_power)
        m = m + (grad - m) * (1 - beta1)
        v = v + (grad * grad - v) * (1 - beta2)
        mean = grad * (1 - beta1) + m * beta1 if use_nesterov else m
        return (), (var - mean * rate / (xp.sqrt(v) + epsilon), m, v)

    return step


_adapt_scalar = _adapt(np)


def _adapt_now(var, m, v, *inputs, use_nesterov=False, shape=None):
    *numbers, grad = inputs
    if use_nesterov or not grad.ndim:
        return _adapt_scalar(var, m, v, *inputs, use_nesterov=use_nesterov)
    rates = _rates(*map(_scalar, numbers), grad.dtype)
    return (), _adapted(var, m, v, grad, rates)


def _scalar(number):
    return np.asarray(number)[()]


@functools.lru_cache(maxsize=64)
def _rates(beta1_power, beta2_power, lr, beta1, beta2, epsilon, dtype):
    """What the numbers of a step come to: the same for all its variables."""
    numbers = (beta1_power, beta2_power, lr, beta1, beta2, epsilon)
    p1, p2, lr, beta1, beta2, epsilon = (dtype.type(n) for n in numbers)
    return lr * np.sqrt(1 - p2) / (1 - p1), 1 - beta1, 1 - beta2, epsilon


def _adapted(var, m, v, grad, rates):
    """The new values, computed with as few arrays as can be."""
    rate, share1, share2, epsilon = rates
    new_m = grad - m
    new_m *= share1
    new_m += m
    new_v = grad * grad
    new_v -= v
    new_v *= share2
    new_v += v
    size = np.sqrt(new_v)
    size += epsilon
    step = new_m * rate
    step /= size
    return np.subtract(var, step, step), new_m, new_v


ResourceApplyAdam = define(
    "ResourceApplyAdam(var: resource, m: resource, v: resource, beta1_power: T,"
    " beta2_power: T, lr: T, beta1: T, beta2: T, epsilon: T, grad: T) -> ()"
    "; use_nesterov=False, shape=None",
    infer=lambda *inputs, use_nesterov, shape: _fits(shape, inputs[-1], "grad"),
    step=lambda xp: _adapt_now if xp is np else _adapt(xp),
    cell=("var", "m", "v"),
    types=FLOAT,
)


ApplyAdam = ref_form(
    ResourceApplyAdam,
    "var: ref T, m: ref T, v: ref T, beta1_power: T, beta2_power: T, lr: T, beta1: T,"
    " beta2: T, epsilon: T, grad: T", "out",
)  # fmt: skip


def apply_adam(
    var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, *,
    use_nesterov=False, name=None, use_locking=False,
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
    if not use_nesterov and is_plain(grad, var) and grad._a.ndim:
        a, b, c = var._cell, m._cell, v._cell
        rates = _rates(*(n[()] for n in numbers), grad._a.dtype)
        new = _adapted(a.read(), b.read(), c.read(), grad._a, rates)
        a.write(new[0])
        b.write(new[1])
        c.write(new[2])
        return []
    given = [as_number(n, var.dtype.base_dtype) for n in numbers]
    ops, attrs = (ResourceApplyAdam, ApplyAdam), {"use_nesterov": use_nesterov}
    return applied(*ops, [var, m, v], (*given, grad), attrs, name, use_locking)


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
