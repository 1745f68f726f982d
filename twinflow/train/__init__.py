"""tf.train: optimizers, the global step, and input by way of queues."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.train.optimizer: Optimizer
twinflow.train.gradient_descent: GradientDescentOptimizer
twinflow.train.momentum: MomentumOptimizer
twinflow.train.adam: AdamOptimizer
twinflow.train.adagrad: AdagradOptimizer
twinflow.train.adagrad_da: AdagradDAOptimizer
twinflow.train.adadelta: AdadeltaOptimizer
twinflow.train.rmsprop: RMSPropOptimizer
twinflow.train.ftrl: FtrlOptimizer
twinflow.train.proximal_gradient_descent: ProximalGradientDescentOptimizer
twinflow.train.proximal_adagrad: ProximalAdagradOptimizer
twinflow.train.training_util: get_global_step create_global_step
twinflow.train.training_util: get_or_create_global_step
twinflow.train.training_util: global_step assert_global_step
twinflow.train.learning_rate_decay: exponential_decay piecewise_constant
twinflow.train.learning_rate_decay: polynomial_decay natural_exp_decay
twinflow.train.learning_rate_decay: inverse_time_decay cosine_decay
twinflow.train.learning_rate_decay: cosine_decay_restarts
twinflow.train.learning_rate_decay: linear_cosine_decay noisy_linear_cosine_decay
twinflow.train.moving_averages: ExponentialMovingAverage
twinflow.train.coordinator: Coordinator LooperThread
twinflow.train.queue_runner: queue_runner=*
twinflow.train.queue_runner: QueueRunner QueueRunnerDef add_queue_runner
twinflow.train.queue_runner: start_queue_runners
twinflow.train.producers: limit_epochs input_producer string_input_producer
twinflow.train.producers: range_input_producer slice_input_producer
twinflow.train.batching: batch batch_join maybe_batch maybe_batch_join shuffle_batch
twinflow.train.batching: shuffle_batch_join maybe_shuffle_batch maybe_shuffle_batch_join
twinflow.graph.graph_def.files: write_graph
twinflow.train.meta_graph: export_meta_graph import_meta_graph
twinflow.ops.files.contents: match_filenames_once
twinflow.formats.protos: SaverDef BytesList Example Feature FeatureList FeatureLists
twinflow.formats.protos: Features FloatList Int64List SequenceExample
twinflow.checkpoint.saver: Saver
twinflow.checkpoint.starting: init_from_checkpoint warm_start
twinflow.checkpoint.vocabularies: VocabInfo
twinflow.train.session_run_hook: SessionRunArgs SessionRunContext SessionRunHook
twinflow.train.session_run_hook: SessionRunValues
twinflow.train.basic_session_run_hooks: FeedFnHook FinalOpsHook GlobalStepWaiterHook
twinflow.train.basic_session_run_hooks: LoggingTensorHook NanLossDuringTrainingError
twinflow.train.basic_session_run_hooks: NanTensorHook SecondOrStepTimer StopAtStepHook
twinflow.train.saving_hooks: CheckpointSaverHook CheckpointSaverListener
twinflow.train.saving_hooks: StepCounterHook SummarySaverHook
twinflow.train.scaffold: Scaffold
twinflow.train.session_manager: SessionManager
twinflow.train.monitored_session: ChiefSessionCreator MonitoredSession
twinflow.train.monitored_session: MonitoredTrainingSession SessionCreator
twinflow.train.monitored_session: SingularMonitoredSession
twinflow.train.supervisor: Supervisor basic_train_loop
twinflow.summary.writer: summary_iterator
twinflow.checkpoint.checkpoint: Checkpoint
twinflow.checkpoint.manager: CheckpointManager
twinflow.checkpoint.reader: NewCheckpointReader list_variables load_checkpoint
twinflow.checkpoint.reader: load_variable
twinflow.checkpoint.state: checkpoint_exists generate_checkpoint_state_proto
twinflow.checkpoint.state: get_checkpoint_mtimes get_checkpoint_state latest_checkpoint
twinflow.checkpoint.state: remove_checkpoint update_checkpoint_state
twinflow.compat.refused: ClusterSpec=train__ClusterSpec Server=train__Server
twinflow.compat.refused: SyncReplicasOptimizer=train__SyncReplicasOptimizer
twinflow.compat.refused: replica_device_setter=train__replica_device_setter
twinflow.compat.refused: WorkerSessionCreator=train__WorkerSessionCreator
twinflow.compat.refused: ProfilerHook=train__ProfilerHook
twinflow.compat.refused: sdca_optimizer=train__sdca_optimizer
twinflow.compat.refused: sdca_fprint=train__sdca_fprint
twinflow.compat.refused: sdca_shrink_l1=train__sdca_shrink_l1
""",
)
