"""tf.contrib.eager: eager execution as it was first published."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.graph.defaults: enable_eager_execution executing_eagerly
twinflow.graph.defaults: in_eager_mode=executing_eagerly
twinflow.eager.context: SYNC ASYNC execution_mode set_execution_mode async_wait
twinflow.eager.context: async_clear_error connect_to_remote_host set_server_def
twinflow.eager.context: enable_remote_eager_execution
twinflow.eager.context: DEVICE_PLACEMENT_EXPLICIT=EXPLICIT DEVICE_PLACEMENT_WARN=WARN
twinflow.eager.context: DEVICE_PLACEMENT_SILENT=SILENT
twinflow.eager.context: DEVICE_PLACEMENT_SILENT_FOR_INT32=SILENT_FOR_INT32
twinflow.eager.callbacks: InfOrNanError add_execution_callback clear_execution_callbacks
twinflow.eager.callbacks: inf_callback inf_nan_callback nan_callback seterr
twinflow.base.devices: list_devices num_gpus
twinflow.base.tensor_spec: TensorSpec
twinflow.ops.variables.resource: Variable=ResourceVariable
twinflow.graph.variable_store: EagerVariableStore
twinflow.execute.function: defun
twinflow.execute.py_func: py_func=eager_py_func
twinflow.contrib.eager.template: make_template
twinflow.contrib.eager.saver: Saver restore_variables_on_create
twinflow.checkpoint.checkpoint: Checkpoint
twinflow.compat.app: run
twinflow.contrib.eager.metrics: metrics=*
twinflow.contrib.eager.network: Network Sequential
twinflow.train.optimizer: get_optimizer_variables
twinflow.autodiff.tape: GradientTape
twinflow.autodiff.custom_gradient: custom_gradient
twinflow.autodiff.functional: gradients_function value_and_gradients_function
twinflow.autodiff.functional: implicit_gradients implicit_value_and_gradients
twinflow.data.iterators.handles: Iterator=EagerIterator
twinflow.testing.both_modes: run_test_in_graph_and_eager_modes
twinflow.testing.both_modes: run_all_tests_in_graph_and_eager_modes
""",
)
