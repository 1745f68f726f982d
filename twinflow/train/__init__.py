"""tf.train: optimizers, the global step, and input by way of queues."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.train.optimizer: Optimizer
twinflow.train.gradient_descent: GradientDescentOptimizer
twinflow.train.momentum: MomentumOptimizer
twinflow.train.adam: AdamOptimizer
twinflow.train.training_util: get_global_step create_global_step
twinflow.train.training_util: get_or_create_global_step
twinflow.train.training_util: global_step assert_global_step
twinflow.train.coordinator: Coordinator LooperThread
twinflow.train.queue_runner: queue_runner=*
twinflow.train.queue_runner: QueueRunner QueueRunnerDef add_queue_runner
twinflow.train.queue_runner: start_queue_runners
twinflow.train.producers: limit_epochs input_producer string_input_producer
twinflow.train.producers: range_input_producer slice_input_producer
twinflow.train.batching: batch batch_join maybe_batch maybe_batch_join shuffle_batch
twinflow.train.batching: shuffle_batch_join maybe_shuffle_batch maybe_shuffle_batch_join
twinflow.ops.files: match_filenames_once
twinflow.compat.refused: ClusterSpec=train__ClusterSpec Server=train__Server
twinflow.compat.refused: SyncReplicasOptimizer=train__SyncReplicasOptimizer
twinflow.compat.refused: Supervisor=train__Supervisor
twinflow.compat.refused: replica_device_setter=train__replica_device_setter
twinflow.compat.refused: WorkerSessionCreator=train__WorkerSessionCreator
twinflow.compat.refused: ProfilerHook=train__ProfilerHook
twinflow.compat.refused: sdca_optimizer=train__sdca_optimizer
twinflow.compat.refused: sdca_fprint=train__sdca_fprint
twinflow.compat.refused: sdca_shrink_l1=train__sdca_shrink_l1
""",
)
