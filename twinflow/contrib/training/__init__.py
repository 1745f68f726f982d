"""tf.contrib.training: what surrounds training loops."""

from twinflow.base.lazy import attach

_REFUSED = (
    "batch_sequences_with_states", "NextQueuedSequenceBatch",
    "SequenceQueueingStateSaver",
)  # fmt: skip
_HOME = "twinflow.compat.refused"

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.training.bucketing: bucket bucket_by_sequence_length
twinflow.contrib.training.hparam: HParams parse_values
twinflow.contrib.slim.learning: add_gradients_summaries clip_gradient_norms
twinflow.contrib.slim.learning: multiply_gradients create_train_op=create_training_op
twinflow.contrib.training.sampling: rejection_sample resample_at_rate stratified_sample
twinflow.contrib.training.sampling: weighted_resample
"""
    + "\n".join(f"{_HOME}: {name}=contrib__training__{name}" for name in _REFUSED),
)
