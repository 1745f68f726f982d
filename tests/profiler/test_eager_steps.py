"""Steps of eager execution in tf.profiler: the times and the memory of each op."""

import twinflow as tf
from twinflow.base import watching
from twinflow.compat.door import contexts, eager_runs
from twinflow.profiler.analyzer import Profiler


def test_eager_ops_have_times_and_memory():
    builder = tf.profiler.ProfileOptionBuilder
    options = builder(builder.time_and_memory(0, 0)).with_empty_output().build()
    with contexts.eager_mode():
        x = tf.ones([200, 200])
        eager_runs.enable_run_metadata()
        try:
            for _ in range(3):
                tf.matmul(x, x)
            profiler = Profiler()
            metadata = eager_runs.export_run_metadata()
        finally:
            eager_runs.disable_run_metadata()
        profiler.add_step(0, metadata)
        root = profiler.profile_operations(options)
    times = [
        n.all_end_rel_nanos for d in metadata.step_stats.dev_stats for n in d.node_stats
    ]
    assert len(times) == 3
    assert min(times) > 1000  # 16 million operations
    product = root.children[0]
    assert product.name == "MatMul"
    assert product.requested_bytes == 3 * 200 * 200 * 4
    assert product.graph_nodes[0].run_count == 3
    assert not watching.WATCHERS
