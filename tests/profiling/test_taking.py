"""tf.profile: what is counted, where it goes, and that nothing is left behind."""

import json
import time

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import native
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import Cluster
from twinflow.execute.worker import Worker
from twinflow.profiling import report
from twinflow.profiling.costs import ENGINES, Cost, costs_of, summed

exact = pytest.mark.skipif(
    not hasattr(native.fast, "start_marks"), reason="counts are those of the C module"
)


def runs(p, op, engine="kernel"):
    return sum(c.runs for c in p.costs if (c.op, c.engine) == (op, engine))


def line_of(p, op):
    (found,) = {c.line for c in p.costs if c.op == op}
    return found


@exact
def test_eager_ops_are_counted_at_their_lines():
    x = tf.ones([8, 8])
    tf.exp(x)
    with tf.profile() as p:
        for _ in range(17):
            y = tf.matmul(x, x)
            tf.exp(y)
    assert (runs(p, "MatMul"), runs(p, "Exp")) == (17, 17)
    assert line_of(p, "Exp") == line_of(p, "MatMul") + 1


@exact
def test_steps_of_a_graph_are_counted_at_the_lines_that_made_them():
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [4, 4])
        y = tf.exp(x)
        z = tf.tanh(y)
        with tf.Session() as sess, tf.profile() as p:
            for _ in range(2):  # so few are interpreted
                sess.run(z, {x: np.ones([4, 4])})
    assert (runs(p, "Exp"), runs(p, "Tanh")) == (2, 2)
    assert line_of(p, "Tanh") == line_of(p, "Exp") + 1


@exact
def test_steps_inside_a_loop_are_told_apart():
    with tf.Graph().as_default():
        body = [lambda i: i < 5, lambda i: tf.add(i, 1)]
        end = tf.while_loop(*body, [tf.placeholder(tf.int32, [])])
        with tf.Session() as sess, tf.profile() as p:
            sess.run(end, {end.graph.get_operations()[0].outputs[0]: 0})
    assert runs(p, "Add") == 5
    assert all(c.seconds >= 0 for c in p.costs)


@exact
def test_elements_are_data():
    with tf.profile() as p:
        for _ in tf.data.Dataset.range(9).map(lambda i: -i):
            pass
    assert runs(p, "Neg", "data") == 9
    assert runs(p, "(next element)", "data") >= 9


def test_a_sleep_is_waiting_and_a_sum_is_python():
    with tf.profile() as p:
        time.sleep(0.15)
        end = time.perf_counter() + 0.15
        while time.perf_counter() < end:
            pass
    by = {(c.engine, c.line) for c in p.costs if c.seconds > 0.05}
    assert {engine for engine, _ in by} == {"waiting", "Python"}
    assert "sleep" in p.report()


def test_one_at_a_time_and_nothing_is_left():
    methods = Plan._use_up, Cluster._run_compiled, Worker._compile
    with tf.profile():
        with pytest.raises(RuntimeError, match="already"), tf.profile():
            pass
        assert Worker._compile is not methods[2]
    assert (Plan._use_up, Cluster._run_compiled, Worker._compile) == methods
    with pytest.raises(ZeroDivisionError), tf.profile() as p:
        1 / 0
    assert p.seconds > 0
    assert (Plan._use_up, Cluster._run_compiled, Worker._compile) == methods


def test_files(tmp_path):
    with tf.profile() as p:
        tf.exp(tf.ones([3]))
        time.sleep(0.02)
    p.save(tmp_path / "p.html")
    p.chrome_trace(tmp_path / "p.json")
    p.save_json(tmp_path / "all.json")
    page = (tmp_path / "p.html").read_text()
    assert "@DATA@" not in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    events = json.loads((tmp_path / "p.json").read_text())["traceEvents"]
    assert events[0]["dur"] >= max(e["dur"] for e in events) > 0
    told = json.loads((tmp_path / "all.json").read_text())
    assert set(told["engines"]) <= set(ENGINES)
    assert sum(told["engines"].values()) == pytest.approx(
        sum(summed(p.costs, "op").values())
    )


def test_memory_names_who_holds_it():
    big = tf.contrib.eager.Variable(np.zeros(1 << 19, np.float32), name="big")
    with tf.profile() as p:
        tf.identity(big)
    assert any(size >= 1 << 21 for _, size in p.holders)


@exact
def test_nodes_have_their_times_for_tensorboard():
    with tf.Graph().as_default():
        y = tf.exp(tf.placeholder(tf.float32, [4], name="x"), name="y")
        with tf.Session() as sess, tf.profile() as p:
            sess.run(y, {"x:0": np.ones(4)})
    (stats,) = p.run_metadata().step_stats.dev_stats
    assert [n.node_name for n in stats.node_stats] == ["y"]
    assert stats.node_stats[0].all_end_rel_micros >= 1


@exact
@pytest.mark.parametrize("seen", [True, False])
def test_a_compiled_program_is_shared_out(seen):
    x = tf.ones([64, 64])
    f = tf.contrib.eager.defun(lambda x: tf.tanh(tf.matmul(x, x)))
    with tf.profile() as p:
        f(x)
    (plan,) = f.get_concrete_function(x).graph.state["plans"].values()
    (cluster,) = plan.clusters
    marks = [(cluster, None, 0, 0, 2, 1000, 1000)]
    if seen:
        marks += [(s, None, 0, 0, 1, 10, 10) for s in cluster.steps]
    found = costs_of(marks, p.stacks)
    shared = {c.op: c.seconds for c in found if c.engine == "XLA"}
    assert sum(shared.values()) == pytest.approx(1e-6)
    assert (shared["MatMul"] == pytest.approx(shared["Tanh"])) == seen
    assert all(c.attributed == (c.engine == "XLA") for c in found)


def test_time_inside_libraries_goes_to_the_line_that_called_them():
    with tf.profile() as p:
        for _ in range(3):
            json.dumps(list(range(200_000)), indent=1)
    assert {c.file for c in p.costs if c.seconds > 0.02} == {__file__}


@exact
def test_kernels_without_an_op_are_counted():
    """On the way back, in optimizers and where an op is put together anew."""
    x, labels = tf.ones([64, 128]), tf.zeros([64], tf.int32)
    variable = tf.contrib.eager.Variable
    w, b = variable(tf.ones([128, 256])), variable(tf.zeros([256]))
    optimizer = tf.train.AdamOptimizer()
    with tf.profile() as p:
        for _ in range(3):
            with tf.GradientTape() as tape:
                y = tf.nn.bias_add(tf.matmul(x, w), b)
                loss = tf.losses.sparse_softmax_cross_entropy(labels, y)
            optimizer.apply_gradients(zip(tape.gradient(loss, [w, b]), [w, b]))
    for name in ("cross_entropy", "updated"):
        assert runs(p, name) in (3, 6), name


@exact
def test_every_function_that_computes_is_a_kernel():
    others = """convolution_for_xla leave_behind marked product_for_xla run_steps
        set_pace setup setup_cells setup_lapack setup_products setup_reductions
        setup_steps sources start_marks stop_marks take_marks time_in_marks walk_back
        wrap sdca nearest buckets first_centers fingerprints PIECE trials components
        lgamma resample resample_slopes transformed lgamma_for_xla nearest_for_xla
        resample_for_xla transform_for_xla trials_for_xla picked
        reshaped expanded relu_slopes fake_quantized fake_quant_slopes"""
    found = {
        name for name, value in vars(native.fast).items()
        if not isinstance(value, type | native.fast.Kernel) and name[0] != "_"
    }  # fmt: skip
    assert found == set(others.split())
    assert native.fast.top.__name__ == "top" and "top" in repr(native.fast.top)


def test_long_names_do_not_run_into_the_next_column():
    costs = [Cost("a.py", 3, name, "kernel", 1.0, 7) for name in ("Add", "A" * 35)]
    short, long = report._ops(costs, 2.0, 5)
    assert "A" * 35 + " kernel" in long
    assert short.index("kernel") == long.index("kernel")
