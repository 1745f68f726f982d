# Made by `make stubs` from the table of the index.
from twinflow.estimator.feeding_queues import FeedingQueueRunner as FeedingQueueRunner
from twinflow.contrib.training.bucketing import bucket as bucket
from twinflow.contrib.training.bucketing import bucket_by_sequence_length as bucket_by_sequence_length
from twinflow.contrib.training.hparam import HParams as HParams
from twinflow.contrib.training.hparam import parse_values as parse_values
from twinflow.contrib.training.sequence_state_saver import NextQueuedSequenceBatch as NextQueuedSequenceBatch
from twinflow.contrib.training.sequence_state_saver import SequenceQueueingStateSaver as SequenceQueueingStateSaver
from twinflow.contrib.training.sequence_batches import batch_sequences_with_states as batch_sequences_with_states
from twinflow.contrib.slim.learning import add_gradients_summaries as add_gradients_summaries
from twinflow.contrib.slim.learning import clip_gradient_norms as clip_gradient_norms
from twinflow.contrib.slim.learning import multiply_gradients as multiply_gradients
from twinflow.contrib.slim.learning import create_training_op as create_train_op
from twinflow.contrib.training.sampling import rejection_sample as rejection_sample
from twinflow.contrib.training.sampling import resample_at_rate as resample_at_rate
from twinflow.contrib.training.sampling import stratified_sample as stratified_sample
from twinflow.contrib.training.sampling import weighted_resample as weighted_resample
from twinflow.contrib.training.device_setter import GreedyLoadBalancingStrategy as GreedyLoadBalancingStrategy
from twinflow.contrib.training.device_setter import RandomStrategy as RandomStrategy
from twinflow.contrib.training.device_setter import byte_size_load_fn as byte_size_load_fn
from twinflow.contrib.training.loops import SummaryAtEndHook as SummaryAtEndHook
from twinflow.contrib.training.loops import checkpoints_iterator as checkpoints_iterator
from twinflow.contrib.training.loops import clip_gradient_norms_fn as clip_gradient_norms_fn
from twinflow.contrib.training.loops import evaluate_once as evaluate_once
from twinflow.contrib.training.loops import evaluate_repeatedly as evaluate_repeatedly
from twinflow.contrib.training.loops import train as train
from twinflow.contrib.training.loops import wait_for_new_checkpoint as wait_for_new_checkpoint
from twinflow.data.experimental.tensor_queues import enqueue_in_queue_dataset as enqueue_in_queue_dataset
from twinflow.data.experimental.tensor_queues import prepend_from_queue_and_padded_batch_dataset as prepend_from_queue_and_padded_batch_dataset
from twinflow.estimator.evaluation import StopAfterNEvalsHook as StopAfterNEvalsHook
from twinflow.estimator.evaluation import eval_step as get_or_create_eval_step

__all__ = [
"FeedingQueueRunner", "bucket", "bucket_by_sequence_length", "HParams", "parse_values",
"NextQueuedSequenceBatch", "SequenceQueueingStateSaver", "batch_sequences_with_states",
"add_gradients_summaries", "clip_gradient_norms", "multiply_gradients",
"create_train_op", "rejection_sample", "resample_at_rate", "stratified_sample",
"weighted_resample", "GreedyLoadBalancingStrategy", "RandomStrategy",
"byte_size_load_fn", "SummaryAtEndHook", "checkpoints_iterator",
"clip_gradient_norms_fn", "evaluate_once", "evaluate_repeatedly", "train",
"wait_for_new_checkpoint", "enqueue_in_queue_dataset",
"prepend_from_queue_and_padded_batch_dataset", "StopAfterNEvalsHook",
"get_or_create_eval_step"
]
