"""The updates of optimizers that scale the steps: Adagrad and those after it.

The rules compute in TensorFlow's order of operations; see Note [Updates].
"""

from twinflow.base.op import bind_first
from twinflow.ops.variables.training_forms import family


@bind_first
def _adagrad(xp, var, accum, lr, grad, update_slots=True):
    if update_slots:
        accum = accum + grad * grad
    return var - grad * lr * (1 / xp.sqrt(accum)), accum


@bind_first
def _adadelta(xp, var, accum, accum_update, lr, rho, epsilon, grad):
    accum = accum * rho + grad * grad * (1 - rho)
    size = xp.sqrt(accum_update + epsilon)
    step = size * (1 / xp.sqrt(accum + epsilon)) * grad
    accum_update = accum_update * rho + step * step * (1 - rho)
    return var - step * lr, accum, accum_update


@bind_first
def _rms_prop(xp, var, ms, mom, lr, rho, momentum, epsilon, grad):
    ms = ms + (grad * grad - ms) * (1 - rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms + epsilon)
    return var - mom, ms, mom


@bind_first
def _rms_prop_rows(xp, var, ms, mom, lr, rho, momentum, epsilon, grad):
    ms = ms * rho + grad * grad * (1 - rho)
    mom = mom * momentum + 1 / xp.sqrt(ms + epsilon) * lr * grad
    return var - mom, ms, mom


@bind_first
def _centered(xp, var, mg, ms, mom, lr, rho, momentum, epsilon, grad):
    ms = ms + (grad * grad - ms) * (1 - rho)
    mg = mg + (grad - mg) * (1 - rho)
    mom = mom * momentum + grad * lr / xp.sqrt(ms - mg * mg + epsilon)
    return var - mom, mg, ms, mom


@bind_first
def _centered_rows(xp, var, mg, ms, mom, lr, rho, momentum, epsilon, grad):
    ms = ms * rho + grad * grad * (1 - rho)
    mg = mg * rho + grad * (1 - rho)
    mom = mom * momentum + 1 / xp.sqrt(ms + epsilon - mg * mg) * lr * grad
    return var - mom, mg, ms, mom


@bind_first
def _ada_max(xp, var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad):
    m = m + (grad - m) * (1 - beta1)
    v = xp.maximum(v * beta2, xp.abs(grad))
    return var - lr / (1 - beta1_power) * (m / (v + epsilon)), m, v


@bind_first
def _add_sign(xp, var, m, lr, alpha, sign_decay, beta, grad):
    m = m * beta + grad * (1 - beta)
    signs = xp.sign(grad) * xp.sign(m)
    return var - lr * (alpha + sign_decay * signs) * grad, m


@bind_first
def _power_sign(xp, var, m, lr, logbase, sign_decay, beta, grad):
    m = m * beta + grad * (1 - beta)
    signs = xp.sign(grad) * xp.sign(m)
    return var - lr * xp.exp(logbase * sign_decay * signs) * grad, m


ADAGRAD = family("Adagrad", _adagrad)
ADADELTA = family("Adadelta", _adadelta)
RMS_PROP = family("RMSProp", _rms_prop, _rms_prop_rows)
CENTERED_RMS_PROP = family("CenteredRMSProp", _centered, _centered_rows)
ADA_MAX = family("AdaMax", _ada_max)
ADD_SIGN = family("AddSign", _add_sign)
POWER_SIGN = family("PowerSign", _power_sign)
