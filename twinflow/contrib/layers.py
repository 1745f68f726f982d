"""tf.contrib.layers."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__, "twinflow.autodiff.recompute: recompute_grad"
)
