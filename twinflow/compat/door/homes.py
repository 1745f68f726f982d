"""twinflow's homes of what TensorFlow 1.12 has in its deep modules."""

from twinflow.base.public_index import table as _table

# Modules of one task: what one has under a name, the other has under the same name.
_SAME_TASK = """
python.framework.dtypes: twinflow.base.dtypes
python.framework.errors: twinflow.base.errors
python.framework.errors_impl: twinflow.base.errors
python.framework.tensor_shape: twinflow.base.shapes
python.framework.tensor_util: twinflow.formats.tensor_proto twinflow.graph.static
python.framework.constant_op: twinflow.compat.door.framework
python.eager.execute: twinflow.compat.door.framework twinflow.compat.door.executing
python.eager.tape: twinflow.compat.door.tapes
python.ops.array_ops: twinflow.compat.door.framework
python.ops.control_flow_ops: twinflow.compat.door.control_flow twinflow.graph.scopes
examples:
examples.tutorials:
examples.tutorials.mnist:
examples.tutorials.mnist.input_data: twinflow.compat.tutorials.mnist_data
examples.tutorials.mnist.mnist: twinflow.compat.tutorials.mnist_model
contrib.rnn.python.ops.rnn: twinflow.contrib.rnn.stacks
contrib.seq2seq.python.ops.loss: twinflow.contrib.seq2seq.loss
contrib.framework.python.ops.variables: twinflow.contrib.framework.variables
python.keras.engine.saving: twinflow.keras.saving.whole_models
python.keras.engine.saving: twinflow.keras.saving.cloning
python.keras.engine.training_utils: twinflow.compat.door.keras_training
python.keras.testing_utils: twinflow.compat.door.keras_testing
python.keras.utils.data_utils: twinflow.keras.utils.data_sequence
python.keras.utils.generic_utils: twinflow.keras.training.arrays
python.keras.utils.generic_utils: twinflow.compat.door.keras_training
python.keras.utils.vis_utils: twinflow.keras.utils.plotting
python.framework.common_shapes: twinflow.compat.door.shapes
python.framework.device: twinflow.base.devices
python.framework.tensor_spec: twinflow.base.tensor_spec
python.framework.function: twinflow.compat.door.defined
python.framework.test_util: twinflow.testing.both_modes twinflow.testing.machine
python.framework.random_seed: twinflow.ops.random.streams
python.framework.function: twinflow.execute.function
python.framework.ops: twinflow.compat.door.framework twinflow.graph.scopes
python.framework.ops: twinflow.graph.defaults twinflow.graph.graph
python.framework.ops: twinflow.graph.graph_def.proto_functions
python.framework.op_def_registry: twinflow.graph.graph_def.registered
python.framework.meta_graph: twinflow.graph.graph_def.meta_export
python.framework.meta_graph: twinflow.graph.graph_def.meta_import
python.framework.importer: twinflow.graph.graph_def.import_def
python.saved_model.constants: twinflow.export.constants
python.saved_model.signature_constants: twinflow.export.signature_constants
python.saved_model.tag_constants: twinflow.export.tag_constants
python.tools.freeze_graph: twinflow.compat.freeze_graph
python.tools.strip_unused_lib: twinflow.compat.inference_graphs
python.tools.optimize_for_inference_lib: twinflow.compat.inference_graphs
python.client.session: twinflow.execute.session twinflow.execute.fetches
python.client.session: twinflow.base.errors
python.ops.session_ops: twinflow.execute.session_handles
python.client.timeline: twinflow.execute.timeline
python.eager.backprop: twinflow.autodiff.tape twinflow.autodiff.functional
python.eager.context: twinflow.compat.door.contexts twinflow.eager.context
python.eager.function: twinflow.execute.function twinflow.graph.func_graph
python.eager.function: twinflow.compat.door.functions
python.eager.execution_callbacks: twinflow.eager.callbacks
python.lib.io.file_io: twinflow.base.files
python.lib.io.tf_record: twinflow.formats.tf_record
python.data.util.nest: twinflow.data.structure twinflow.base.nest
python.data.experimental.ops.readers: twinflow.data.experimental.features
python.data.experimental.ops.stats_ops: twinflow.data.experimental.stats
python.util.nest: twinflow.base.nest
python.util.compat: twinflow.base.text
python.util.decorator_utils: twinflow.compat.door.python_util
python.util.deprecation: twinflow.compat.door.deprecation
python.util.function_utils: twinflow.compat.door.python_util
python.util.keyword_args: twinflow.compat.door.python_util
python.util.lazy_loader: twinflow.compat.door.python_util
python.util.lock_util: twinflow.compat.door.python_util
python.util.memory: twinflow.compat.door.python_util
python.util.serialization: twinflow.compat.door.python_util
python.util.tf_decorator: twinflow.compat.door.python_util
python.util.tf_export: twinflow.compat.door.python_util
python.util.tf_should_use: twinflow.compat.door.python_util
python.util.tf_stack: twinflow.compat.door.python_util
python.client.device_lib: twinflow.compat.door.machine
python.platform.build_info: twinflow.compat.door.machine
python.platform.benchmark: twinflow.testing.benchmark
python.ops.control_flow_util: twinflow.compat.door.flow_nodes
python.ops.state_ops: twinflow.compat.door.states
python.ops.template: twinflow.graph.template
python.util.tf_inspect: inspect
python.util.tf_contextlib: contextlib
python.platform.googletest: unittest twinflow.test
python.platform.parameterized: absl.testing.parameterized
python.platform.flags: twinflow.compat.flags
python.platform.app: twinflow.compat.app
python.ops.functional_ops: twinflow.graph.map_fn
python.ops.init_ops: twinflow.ops.random.initializers
python.ops.init_ops: twinflow.ops.random.initializers_plain
python.ops.variable_scope: twinflow.graph.variable_scope twinflow.graph.variable_store
python.ops.variables: twinflow.ops.variables.collections
python.ops.resource_variable_ops: twinflow.compat.door.framework
python.ops.resource_variable_ops: twinflow.ops.variables.resource
python.ops.gradients_impl: twinflow.graph.gradients twinflow.graph.hessians
python.ops.gradient_checker: twinflow.testing.gradient_checker
python.ops.rnn_cell_impl: twinflow.rnn.cells
python.ops.rnn: twinflow.rnn.dynamic twinflow.rnn.static twinflow.rnn.raw
python.ops.string_ops: twinflow.strings
python.ops.data_flow_ops: twinflow.ops.queues.queue
python.training.training_util: twinflow.train.training_util
python.training.optimizer: twinflow.train.optimizer
python.training.checkpoint_management: twinflow.checkpoint.state
contrib.layers.python.layers.utils: twinflow.contrib.layers.outputs
python.training.slot_creator: twinflow.train.slot_creator
python.training.learning_rate_decay_v2: twinflow.compat.door.decays
python.ops.weights_broadcast_ops: twinflow.losses.weights
python.ops.metrics_impl: twinflow.metrics.streaming twinflow.metrics
python.ops.metrics: twinflow.metrics
contrib.eager.python.metrics_impl: twinflow.metrics.objects
python.training.moving_averages: twinflow.train.moving_averages
"""

# Names that stand elsewhere under another name: `home: name=attribute`; or in front of
# a module of that name, as in TensorFlow.
_ELSEWHERE = {
    "python.framework.ops": """
twinflow.eager.tensor: EagerTensor
twinflow.graph.node: Operation=Node
twinflow.execute.default_sessions: default_session
twinflow.execute.default_sessions: _default_session_stack=SESSIONS
twinflow.compat.door.framework: _default_graph_stack=DEFAULT_GRAPHS
twinflow.compat.door.framework: _get_graph_from_inputs=get_graph_from_inputs
twinflow.compat.door.framework: _assert_same_graph=assert_same_graph
twinflow.base.dispatch: uid=next_id
twinflow.ops.core.index: IndexedSlicesValue
twinflow.compat.door.graphs: numpy_text tensor_id get_gradient_function RegisterShape
twinflow.compat.door.graphs: dismantle_graph register_dense_tensor_like_type
twinflow.compat.door.graphs: set_shape_and_handle_data_for_outputs
twinflow.compat.door.graphs: _name_from_scope_name=name_from_scope_name
twinflow.compat.door.graphs: _run_using_default_session=run_using_default_session
twinflow.compat.door.graphs: _eval_using_default_session=eval_using_default_session
twinflow.eager.tensor: _EagerTensorBase=EagerTensor
twinflow.compat.door.framework: _NullContextmanager=NullContextmanager
twinflow.base.tensor: _TensorLike=TensorLike
""",
    "contrib.framework.python.ops": """
twinflow.contrib.framework.argument_scopes: arg_scope
""",
    "python.framework.test_util": """
twinflow.test: TensorFlowTestCase=TestCase
twinflow.testing.both_modes: run_in_graph_and_eager_modes=run_test_in_graph_and_eager_modes
twinflow.testing.both_modes: run_all_in_graph_and_eager_modes=run_all_tests_in_graph_and_eager_modes
twinflow.compat.door.testing: assert_no_new_tensors=unchanged
twinflow.compat.door.testing: assert_no_garbage_created=unchanged
twinflow.compat.door.testing: assert_no_new_pyobjects_executing_eagerly=unchanged
twinflow.compat.door.testing: with_c_shapes=unchanged enable_c_shapes=unchanged
twinflow.compat.door.testing: enable_control_flow_v2=unchanged
twinflow.compat.door.testing: with_control_flow_v2=unchanged
twinflow.compat.door.testing: disable_control_flow_v2=left_out skip_if
twinflow.compat.door.testing: IsGoogleCudaEnabled=is_false IsMklEnabled=is_false
twinflow.compat.door.testing: CudaSupportsHalfMatMulAndConv=is_false
twinflow.compat.door.testing: device=no_device InstallStackTraceHandler=nothing
twinflow.compat.door.testing: NHWCToNCHW=nhwc_to_nchw NCHWToNHWC=nchw_to_nhwc
twinflow.compat.door.testing: NCHW_VECT_CToNHWC=vect_to_nhwc
twinflow.compat.door.testing: NHWCToNCHW_VECT_C=nhwc_to_vect assert_ops_in_graph
twinflow.compat.door.testing: get_node_def_from_graph set_producer_version
twinflow.compat.door.testing: generate_combinations_with_testcase_name
twinflow.compat.door.testing: dismantle_func_graph=nothing
twinflow.compat.door.testing: dismantle_polymorphic_function=nothing
twinflow.testing.test_case: CapturedWrites
twinflow.execute.session: ErrorLoggingSession=Session
""",  # noqa: E501 - TensorFlow's names are as long
    "python.framework.device": """
twinflow.base.devices: canonical_name=canonical
twinflow.compat.door.machine: merge_device check_valid
""",
    "python.framework.registry": "twinflow.compat.door.graphs: Registry",
    "python.framework.sparse_tensor": "twinflow.ops.sparse.tensor: is_sparse",
    "python.framework.function": "twinflow.compat.door.defined: Defun",
    "python.eager.function": """
twinflow.execute.function: PolymorphicFunction=Function
""",
    "python.ops.array_ops": """
twinflow: listdiff=setdiff1d
twinflow.compat.door.constants: NEW_AXIS SHRINK_AXIS
""",
    "python.ops.standard_ops": "twinflow.compat.door.constants: NEW_AXIS SHRINK_AXIS",
    "python.ops.cond_v2_impl": "twinflow: cond_v2=cond",
    "python.ops.gradients_impl": """
twinflow.compat.door.slopes: _hessian_vector_product=hessian_vector_product
twinflow.compat.door.slopes: _AggregateIndexedSlicesGradients=added_slices
twinflow.ops.core.indexed_slices: _IndexedSlicesToTensor=convert_to_tensor
""",
    "python.ops.check_ops": "twinflow.compat.door.constants: NUMERIC_TYPES",
    "python.ops.rnn_cell_impl": """
twinflow.rnn.cells.base: assert_like_rnncell LayerRNNCell
twinflow.compat.door.constants: ASSERT_LIKE_RNNCELL_ERROR_REGEXP
""",
    "python.ops.rnn_cell": """
twinflow.compat.door.constants: ASSERT_LIKE_RNNCELL_ERROR_REGEXP
""",
    "python.ops.rnn": """
twinflow.contrib.rnn.stacks: _transpose_batch_time=transpose_batch_time
twinflow.contrib.rnn.stacks: _best_effort_input_batch_size=best_effort_input_batch_size
""",
    "python.ops.template": "twinflow.graph.template: EagerTemplate=Template",
    "python.platform.benchmark": "twinflow.testing.benchmark: Benchmark",
    "python.util.tf_export": """
twinflow.compat.door.python_util: api_export=tf_export
twinflow.compat.door.python_util: get_canonical_name=get_canonical_name_for_symbol
""",
    "python.layers.utils": "twinflow.compat.door.python_util: object_list_uid",
    "python.training.training_util": """
twinflow.compat.door.constants: GLOBAL_STEP_READ_KEY
twinflow.train.training_util: _increment_global_step=increment_global_step
twinflow.train.training_util: _get_or_create_global_step_read=get_or_create_global_step_read
""",  # noqa: E501 - TensorFlow's names are as long
    "python.training.monitored_session": """
twinflow.compat.door.sessions: _WrappedSession=WrappedSession
twinflow.compat.door.sessions: _CoordinatedSession=CoordinatedSession
twinflow.compat.door.sessions: _RecoverableSession=RecoverableSession
twinflow.compat.door.sessions: _HookedSession=HookedSession
""",
    "python.summary.plugin_asset": """
twinflow.compat.door.plugins: PluginAsset get_plugin_asset get_all_plugin_assets
""",
    "python.training.checkpoint_management": """
twinflow.checkpoint.state: update_checkpoint_state_internal=update_checkpoint_state
""",
    "python.training.saver": """
time: time=*
twinflow.train.scaffold: _get_saver_or_default=saver_or_default
""",
    "python.training.optimizer": "twinflow.compat.door.graphs: get_filtered_grad_fn",
    "python.client.session": """
twinflow: BaseSession=Session SessionInterface=Session
""",
    "python.platform.test": "unittest.mock: mock=*",
    "python.eager.test": "twinflow.compat.door.testing: main=eager_main",
    "python.platform.googletest": """
unittest: unittest_main=main g_main=main
twinflow.testing.machine: main GetTempDir=get_temp_dir test_src_dir_path
twinflow.test: StubOutForTesting
unittest: TestCase
unittest.mock: mock=*
""",
    "python.util.tf_inspect": "twinflow.compat.door.testing: getargspec",
    "python.ops.script_ops": "twinflow.execute.py_func: py_func eager_py_func",
    "python.ops.variables": """
twinflow.ops.variables.kinds: RefVariable VariableV1=Variable Variable=VariableV2
twinflow.ops.variables.creators: VariableMetaclass=Created
""",
    "python.ops.variable_scope": """
twinflow: variable=Variable
twinflow.graph.variable_store: _get_default_variable_store=store
twinflow.graph.variable_store: _VariableStore=VariableStore
twinflow.ops.variables.kinds: default_variable_creator default_variable_creator_v2
""",
    "python.ops.math_ops": """
twinflow: sub=subtract mul=multiply neg=negative
twinflow.compat.door.slopes: _as_indexed_slices=as_indexed_slices
twinflow.compat.door.slopes: _as_indexed_slices_list=as_indexed_slices_list
""",
    "python.framework.tensor_util": """
twinflow.compat.door.shapes: constant_value_as_shape ShapeEquals=shape_equals
twinflow.compat.door.shapes: TensorShapeProtoToList=tensor_shape_proto_to_list
twinflow.formats.tensor_proto: MakeNdarray=make_ndarray
twinflow.base.convert: is_tensor
twinflow.compat.door.shapes: constant_value
""",
}

# Where programs set a name (a mock, say), it is set in twinflow's module as well.
PATCHED = {
    "python.platform.tf_logging": "twinflow.base.logging",
    "python.training.saver": "twinflow.checkpoint.saver",
}


def _same_task(text):
    found: dict = {}
    for line in text.strip().splitlines():
        path, _, homes = line.partition(":")
        found[path] = (*found.get(path, ()), *homes.split())
    return found


def _elsewhere(texts):
    return {
        path: {
            name: home if attribute == "*" else f"{home}:{attribute}"
            for name, (home, attribute) in _table(text).items()
        }
        for path, text in texts.items()
    }


MODULES = _same_task(_SAME_TASK)
NAMES = _elsewhere(_ELSEWHERE)
