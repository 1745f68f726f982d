# Made by `make stubs` from the table of the index.
from twinflow.testing.gradient_checker import compute_gradient as compute_gradient
from twinflow.testing.gradient_checker import compute_gradient_error as compute_gradient_error
from twinflow.testing.machine import is_gpu_available as is_gpu_available
from twinflow.testing.machine import gpu_device_name as gpu_device_name
from twinflow.testing.machine import is_built_with_cuda as is_built_with_cuda
from twinflow.testing.machine import get_temp_dir as get_temp_dir
from twinflow.testing.machine import test_src_dir_path as test_src_dir_path
from twinflow.testing.machine import main as main
from twinflow.testing.machine import mock as mock
from twinflow.graph.graph_def.compare import assert_equal_graph_def as assert_equal_graph_def
from twinflow.testing.test_case import TestCase as TestCase
from twinflow.testing.stub_out import StubOutForTesting as StubOutForTesting
from twinflow.testing.benchmark import Benchmark as Benchmark
from twinflow.testing.clusters import create_local_cluster as create_local_cluster

__all__ = [
"compute_gradient", "compute_gradient_error", "is_gpu_available", "gpu_device_name",
"is_built_with_cuda", "get_temp_dir", "test_src_dir_path", "main", "mock",
"assert_equal_graph_def", "TestCase", "StubOutForTesting", "Benchmark",
"create_local_cluster"
]
