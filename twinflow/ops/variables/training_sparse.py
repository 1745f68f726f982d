"""The ops of sparse momentum; those of the other updates stand with their rules."""

from twinflow.ops.variables.training_forms import define_sparse


def _momentum(xp):
    def rule(var, accum, lr, grad, momentum, use_nesterov=False):
        accum = accum * momentum + grad
        if use_nesterov:
            return var - (grad * lr + accum * momentum * lr), accum
        return var - accum * lr, accum

    return rule


define_sparse(
    "Momentum", "var accum", "lr grad momentum", _momentum, "use_nesterov=False"
)
