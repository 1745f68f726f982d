# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.contrib.training.bucketing import bucket as bucket
from twinflow.contrib.training.bucketing import bucket_by_sequence_length as bucket_by_sequence_length
from twinflow.contrib.training.hparam import HParams as HParams
from twinflow.contrib.training.hparam import parse_values as parse_values
from twinflow.contrib.slim.learning import add_gradients_summaries as add_gradients_summaries
from twinflow.contrib.slim.learning import clip_gradient_norms as clip_gradient_norms
from twinflow.contrib.slim.learning import multiply_gradients as multiply_gradients
from twinflow.contrib.slim.learning import create_training_op as create_train_op
from twinflow.contrib.training.sampling import rejection_sample as rejection_sample
from twinflow.contrib.training.sampling import resample_at_rate as resample_at_rate
from twinflow.contrib.training.sampling import stratified_sample as stratified_sample
from twinflow.contrib.training.sampling import weighted_resample as weighted_resample
def batch_sequences_with_states(*args: Any, **kwargs: Any) -> Any: ...
def NextQueuedSequenceBatch(*args: Any, **kwargs: Any) -> Any: ...
def SequenceQueueingStateSaver(*args: Any, **kwargs: Any) -> Any: ...

__all__ = [
"bucket", "bucket_by_sequence_length", "HParams", "parse_values",
"add_gradients_summaries", "clip_gradient_norms", "multiply_gradients",
"create_train_op", "rejection_sample", "resample_at_rate", "stratified_sample",
"weighted_resample", "batch_sequences_with_states", "NextQueuedSequenceBatch",
"SequenceQueueingStateSaver"
]
