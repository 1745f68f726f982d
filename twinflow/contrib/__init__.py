"""tf.contrib: what TensorFlow 1.12 had beside its core."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.eager: eager=*
twinflow.contrib.framework: framework=*
twinflow.contrib.layers: layers=*
twinflow.contrib.lookup: lookup=*
twinflow.contrib.metrics: metrics=*
twinflow.contrib.signal: signal=*
twinflow.contrib.nn: nn=*
twinflow.contrib.stateless: stateless=*
twinflow.contrib.training: training=*
""",
)
