"""The updates of optimizers that shrink weights: proximal steps, Ftrl, AdagradDA.

The rules compute in TensorFlow's order of operations; see Note [Updates].
"""

from twinflow.base.op import bind_first
from twinflow.ops.variables.training_forms import family


def _shrunk(xp, x, rate, l1, l2):
    """sign(x) * max(|x| - rate * l1, 0) / (1 + rate * l2)"""
    size = xp.where(l1 > 0, xp.maximum(xp.abs(x) - rate * l1, 0), xp.abs(x))
    return xp.sign(x) * size / (1 + rate * l2)


@bind_first
def _proximal(xp, var, alpha, l1, l2, delta):
    return (_shrunk(xp, var - delta * alpha, alpha, l1, l2),)


@bind_first
def _proximal_adagrad(xp, var, accum, lr, l1, l2, grad):
    accum = accum + grad * grad
    rate = lr * (1 / xp.sqrt(accum))
    return _shrunk(xp, var - grad * rate, rate, l1, l2), accum


@bind_first
def _dual_averaging(xp, var, total, squares, grad, lr, l1, l2, global_step):
    total = total + grad
    squares = squares + grad * grad
    steps = xp.asarray(global_step, dtype=grad.dtype)
    shrunk = xp.sign(total) * xp.maximum(xp.abs(total) - l1 * steps, 0)
    used = xp.where(l1 > 0, shrunk, total)
    return -lr * used / (l2 * steps * lr + xp.sqrt(squares)), total, squares


def _follow(xp, var, accum, linear, grad, seen, lr, l1, l2, lr_power):
    """Ftrl: `seen` is the gradient that moves `linear`."""
    new = accum + grad * grad
    half = lr_power == -0.5
    before = xp.where(half, xp.sqrt(accum), accum**-lr_power)
    after = xp.where(half, xp.sqrt(new), new**-lr_power)
    linear = linear + (seen - (after - before) / lr * var)
    pull = l1 * xp.sign(linear) - linear
    var = xp.where(xp.abs(linear) > l1, pull / (after / lr + 2 * l2), 0)
    return var.astype(accum.dtype), new, linear


@bind_first
def _ftrl(xp, var, accum, linear, grad, lr, l1, l2, lr_power):
    return _follow(xp, var, accum, linear, grad, grad, lr, l1, l2, lr_power)


@bind_first
def _ftrl_shrinking(xp, var, accum, linear, grad, lr, l1, l2, l2_shrinkage, lr_power):
    seen = grad + 2 * l2_shrinkage * var
    return _follow(xp, var, accum, linear, grad, seen, lr, l1, l2, lr_power)


PROXIMAL_GRADIENT_DESCENT = family("ProximalGradientDescent", _proximal)
PROXIMAL_ADAGRAD = family("ProximalAdagrad", _proximal_adagrad)
ADAGRAD_DA = family("AdagradDA", _dual_averaging)
FTRL = family("Ftrl", _ftrl)
FTRL_V2 = family("FtrlV2", _ftrl_shrinking)
