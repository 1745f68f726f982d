"""tf.contrib: what TensorFlow 1.12 had beside its core."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.checkpoint: checkpoint=*
twinflow.contrib.data: data=*
twinflow.contrib.eager: eager=*
twinflow.contrib.framework: framework=*
twinflow.contrib.layers: layers=*
twinflow.contrib.lookup: lookup=*
twinflow.contrib.losses: losses=*
twinflow.contrib.metrics: metrics=*
twinflow.contrib.signal: signal=*
twinflow.contrib.legacy_seq2seq: legacy_seq2seq=*
twinflow.contrib.nn: nn=*
twinflow.contrib.reversible: reversible=*
twinflow.contrib.rnn: rnn=*
twinflow.contrib.seq2seq: seq2seq=*
twinflow.contrib.slim: slim=*
twinflow.contrib.stateless: stateless=*
twinflow.contrib.summary: summary=*
twinflow.contrib.tpu: tpu=*
twinflow.contrib.training: training=*
twinflow.contrib.util: util=*
""",
)
