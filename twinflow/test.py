"""tf.test: what programs use to test themselves."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.testing.gradient_checker: compute_gradient compute_gradient_error
twinflow.testing.machine: is_gpu_available gpu_device_name is_built_with_cuda
twinflow.testing.machine: get_temp_dir test_src_dir_path main mock
twinflow.graph.graph_def.compare: assert_equal_graph_def
twinflow.testing.test_case: TestCase
twinflow.testing.stub_out: StubOutForTesting
twinflow.testing.benchmark: Benchmark
twinflow.compat.refused: create_local_cluster=test__create_local_cluster
""",
)
