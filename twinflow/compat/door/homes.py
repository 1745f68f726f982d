"""twinflow's homes of what TensorFlow 1.12 has in its deep modules."""

from twinflow.base.lazy import table as _table

# Modules of one task: what one has under a name, the other has under the same name.
_SAME_TASK = """
python.framework.dtypes: twinflow.base.dtypes
python.framework.errors: twinflow.base.errors
python.framework.errors_impl: twinflow.base.errors
python.framework.tensor_shape: twinflow.base.shapes
python.framework.tensor_util: twinflow.base.tensor_proto twinflow.graph.static
python.framework.constant_op: twinflow.compat.door.framework
python.eager.execute: twinflow.compat.door.framework
python.ops.array_ops: twinflow.compat.door.framework
python.ops.control_flow_ops: twinflow.compat.door.framework
python.framework.test_util: twinflow.testing.both_modes twinflow.testing.support
python.framework.random_seed: twinflow.ops.random.streams
python.framework.function: twinflow.execute.function
python.framework.ops: twinflow.compat.door.framework twinflow.graph.scopes
python.framework.ops: twinflow.graph.defaults twinflow.graph.graph
python.client.session: twinflow.execute.session
python.eager.backprop: twinflow.autodiff.tape twinflow.autodiff.functional
python.eager.context: twinflow.compat.door.contexts twinflow.eager.context
python.eager.function: twinflow.execute.function twinflow.graph.func_graph
python.eager.execution_callbacks: twinflow.eager.callbacks
python.lib.io.file_io: twinflow.base.files
python.lib.io.tf_record: twinflow.base.records
python.data.util.nest: twinflow.data.structure
python.util.nest: twinflow.base.nest
python.util.compat: twinflow.base.text
python.util.tf_inspect: inspect
python.util.tf_contextlib: contextlib
python.platform.googletest: unittest twinflow.test
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
"""

# Names that stand elsewhere under another name: `home: name=attribute`.
_ELSEWHERE = {
    "python.framework.ops": """
twinflow.eager.tensor: EagerTensor
twinflow.graph.node: Operation=Node
twinflow.execute.session: default_session=get_default_session
twinflow.compat.door.framework: _NullContextmanager=NullContextmanager
twinflow.base.tensor: _TensorLike=TensorLike
""",
    "python.framework.test_util": """
twinflow.test: TensorFlowTestCase=TestCase
twinflow.testing.both_modes:
twinflow.testing.both_modes: run_in_graph_and_eager_modes=run_test_in_graph_and_eager_modes
twinflow.testing.both_modes:
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
""",  # noqa: E501 - TensorFlow's names are as long
    "python.ops.array_ops": "twinflow: listdiff=setdiff1d",
    "python.client.session": """
twinflow: BaseSession=Session SessionInterface=Session
""",
    "python.eager.test": "twinflow.compat.door.testing: main=eager_main",
    "python.platform.googletest": """
unittest: unittest_main=main g_main=main
twinflow.testing.support: main GetTempDir=get_temp_dir test_src_dir_path
twinflow.test: StubOutForTesting
unittest: TestCase
unittest.mock: mock=*
""",
    "python.util.tf_inspect": "twinflow.compat.door.testing: getargspec",
    "python.ops.script_ops": "twinflow.execute.py_func: py_func eager_py_func",
    "python.ops.variables": "twinflow: RefVariable=Variable VariableV1=Variable",
    "python.ops.variable_scope": "twinflow: variable=Variable",
    "python.ops.math_ops": "twinflow: sub=subtract mul=multiply neg=negative",
    "python.framework.tensor_util": """
twinflow.base.tensor_proto: MakeNdarray=make_ndarray
twinflow.compat.door.framework: is_tensor=is_dense_tensor_like
""",
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
