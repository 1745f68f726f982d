"""tf.profiler: steps, outputs, contexts, advice, and what it says of mistakes."""

import gzip
import json
import math

import pytest

import twinflow as tf
from twinflow.formats import protos
from twinflow.formats.profile_protos import Profile, ProfileProto
from twinflow.profiler.analyzer import Profiler
from twinflow.profiler.nodes import StatNode
from twinflow.profiler.shown import memory_text, number_text, time_text
from twinflow.profiler.std_sort import std_sorted

Builder = tf.profiler.ProfileOptionBuilder
FULL = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
pytestmark = pytest.mark.usefixtures("graph")


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def build():
    x = tf.get_variable("layer/x", [64, 32])
    return tf.reduce_sum(tf.matmul(x, x, transpose_b=True), name="total")


def traced(fetch):
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(fetch, None, FULL, metadata)
    return metadata


def quiet(options):
    return Builder(options).with_empty_output().build()


def found(node, name):
    if node.name == name:
        return node
    return next((f for c in node.children if (f := found(c, name)) is not None), None)


# --------------------------------------------------------------------- time and memory
def test_a_run_gives_times_and_memory():
    metadata = traced(build())
    root = tf.profiler.profile(
        run_meta=metadata, options=quiet(Builder.time_and_memory(min_bytes=0))
    )
    product = found(root, "MatMul")
    assert product.total_exec_micros > 0
    assert product.total_cpu_exec_micros == product.total_exec_micros
    assert product.output_bytes == product.requested_bytes == 64 * 64 * 4
    assert product.devices == ["/job:localhost/replica:0/task:0/device:cpu:0"]
    assert product.run_count == 1


def test_memory_that_was_there_is_not_requested_again():
    x = tf.get_variable("x", [8])
    metadata = traced(tf.identity(tf.reshape(x, [2, 4], name="view"), name="same"))
    options = quiet(Builder.time_and_memory(0, 0))
    root = tf.profiler.profile(run_meta=metadata, options=options)
    assert found(root, "x").residual_bytes == 32
    assert found(root, "view").requested_bytes == 0
    assert found(root, "view").output_bytes == 32


def test_lines_of_the_program_have_the_time_of_loops():
    loop = tf.while_loop(lambda i: i < 50, lambda i: i + 1, [0])
    options = Builder(quiet(Builder.time_and_memory(0, 0)))
    root = tf.profiler.profile(
        run_meta=traced(loop), cmd="code", options=options.select(["micros"]).build()
    )
    line = test_lines_of_the_program_have_the_time_of_loops.__code__.co_firstlineno + 1
    found_line = found(root, f"test_profiler.py:{line}:test_lines_of_the...")
    assert found_line.total_exec_micros > 0.5 * root.total_exec_micros


def test_steps_are_averaged_or_taken_one_by_one():
    y = build()
    profiler = Profiler(y.graph)
    one, two = traced(y), traced(y)
    profiler.add_step(3, one)
    profiler.add_step(4, two)
    assert 0 < profiler._coverage < 1
    options = Builder(quiet(Builder.time_and_memory(0, 0)))
    third, fourth, mean = (
        found(profiler.profile_name_scope(options.with_step(s).build()), "MatMul")
        for s in (3, 4, -1)
    )
    assert mean.exec_micros == (third.exec_micros + fourth.exec_micros) // 2


def test_a_step_that_there_is_not_gives_nothing(capsys):
    options = Builder(quiet(Builder.time_and_memory())).with_step(7).build()
    profiler = Profiler(build().graph)
    assert not profiler.profile_operations(options).children
    assert "Options -step=7 not found." in capsys.readouterr().err


# ---------------------------------------------------------------------------- outputs
def test_a_profile_can_be_written_and_read(tmp_path):
    profiler = Profiler(build().graph)
    profiler._write_profile(tmp_path / "profile")
    again = Profiler._from_file(tmp_path / "profile")
    for view in ("profile_name_scope", "profile_graph", "profile_operations"):
        options = quiet(Builder.float_operation())
        assert getattr(again, view)(options) == getattr(profiler, view)(options)
    proto = ProfileProto.FromString(profiler.serialize_to_string())
    assert {n.op for n in proto.nodes.values()} >= {"MatMul", "VariableV2"}


@pytest.mark.parametrize("cmd", ["scope", "graph", "code"])
def test_a_timeline_is_written(cmd, tmp_path, capsys):
    y = build()
    options = Builder(Builder.time_and_memory(0, 0)).with_step(0)
    options = options.with_timeline_output(str(tmp_path / "line")).build()
    tf.profiler.profile(run_meta=traced(y), cmd=cmd, options=options)
    events = json.loads((tmp_path / "line_0").read_text())["traceEvents"]
    drawn = [e for e in events if e["ph"] == "X"]
    assert any(e["dur"] > 0 for e in drawn)
    assert f"Timeline file is written to {tmp_path}/line_0." in capsys.readouterr().out
    if cmd != "graph":  # what is below lies within
        assert max(e["ts"] + e["dur"] for e in drawn) == drawn[0]["dur"]


def test_pprof_gets_the_lines_of_the_program(tmp_path):
    y = build()
    options = Builder(Builder.float_operation()).select(["float_ops"])
    options = options.with_pprof_output(str(tmp_path / "p.pb.gz")).build()
    tf.profiler.profile(y.graph, cmd="code", options=options)
    made = Profile.FromString(gzip.decompress((tmp_path / "p.pb.gz").read_bytes()))
    texts = made.string_table
    names = {f.id: texts[f.name] for f in made.function}
    places = {p.id: names[p.line[0].function_id] for p in made.location}
    sums = [s for s in made.sample if s.value[1] == 2 * 32 * 64 * 64]
    assert places[sums[0].location_id[0]] == "test_profiler:build"
    assert texts[sums[0].label[0].str] == "MatMul"


def test_the_report_is_printed(capsys):
    build()
    tf.profiler.profile()
    out = capsys.readouterr().out
    assert "-account_type_regexes       _trainable_variables\n" in out
    assert "\n_TFProfRoot (--/2.05k params)\n  layer (--/2.05k params)\n" in out
    assert out.endswith(
        "\n======================End of Report==========================\n"
    )


def test_a_log_is_written(tmp_path):
    y = build()
    tf.profiler.write_op_log(y.graph, str(tmp_path))
    log = tf.profiler.OpLogProto.FromString((tmp_path / "tfprof_log").read_bytes())
    entries = {e.name: e for e in log.log_entries}
    assert list(entries["layer/x"].types) == ["_trainable_variables"]
    assert entries["MatMul"].float_ops == 2 * 32 * 64 * 64
    assert (
        log.id_to_string[entries["MatMul"].code_def.traces[-1].function_id] == "build"
    )


def test_types_of_the_caller_are_counted():
    y = build()
    log = tf.profiler.OpLogProto()
    log.log_entries.add(name=y.op.name, types=["mine"])
    options = Builder(quiet(Builder.float_operation())).with_accounted_types(["mine"])
    root = tf.profiler.profile(op_log=log, options=options.build())
    assert root.total_float_ops == 64 * 64 - 1
    assert [c.name for c in root.children] == ["total"]


# --------------------------------------------------------------------------- contexts
def test_a_context_traces_dumps_and_profiles(tmp_path):
    y = build()
    options = quiet(Builder.time_and_memory(0, 0))
    with tf.contrib.tfprof.ProfileContext(str(tmp_path / "a/b"), [1], [3]) as context:
        context.add_auto_profiling("op", options, [2])
        with pytest.raises(tf.errors.InternalError, match="Already in context"):
            tf.contrib.tfprof.ProfileContext(str(tmp_path)).__enter__()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(4):
                session.run(y)
    assert list(context.get_profiles("op")) == [2]
    assert context.profiler._stats.steps == {1, 2}
    assert [p.name for p in (tmp_path / "a/b").iterdir()] == ["profile_3"]
    assert tf.Session.profile_context is None
    with pytest.raises(ValueError, match="No autoprofiler for command: code"):
        context.get_profiles("code")


def test_a_failed_run_leaves_the_context_usable(tmp_path):
    x = tf.placeholder(tf.float32, [])
    context = tf.contrib.tfprof.ProfileContext(str(tmp_path), [0, 1], [])
    with context, tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.run(x + 1)
        session.run(x + 1, {x: 1.0})
    assert context.profiler._stats.steps == {1}


def test_a_context_that_is_not_enabled_does_nothing(tmp_path):
    run = tf.Session.run
    with tf.contrib.tfprof.ProfileContext("", enabled=False) as context:
        assert tf.Session.run is run
        assert context.profiler is None


# ----------------------------------------------------------------------------- advice
def test_advice_names_what_is_slow(capsys):
    y = build()
    advice = tf.profiler.advise(y.graph, traced(y))
    reports = advice.checkers["ExpensiveOperationChecker"].reports
    assert reports[0].startswith("top 1 operation type: ")
    assert "JobChecker" not in advice.checkers
    assert reports[0] in capsys.readouterr().out


def test_advice_needs_a_run(capsys):
    advice = tf.profiler.advise(build().graph)
    assert not advice.checkers["ExpensiveOperationChecker"].reports
    assert "Missing run_meta for ExpensiveOperationChecker" in capsys.readouterr().err


def test_slow_formats_and_idle_accelerators_are_named():
    gpu = "/job:localhost/replica:0/task:0/device:GPU:0"
    profiler = Profiler(tf.Graph())
    node = protos.NodeDef(name="c", op="Conv2D")
    node.attr["data_format"].s = b"NHWC"
    profiler._stats.nodes["c"] = StatNode.of_node_def(node, 0)
    metadata = tf.RunMetadata()
    for device, start in ((gpu, 1000), (gpu + "/stream:all", 9000)):
        metadata.step_stats.dev_stats.add(device=device).node_stats.add(
            node_name="c", all_start_micros=start, op_end_rel_micros=10
        )
    profiler._stats.add_run(0, metadata)
    checkers = profiler.advise({k: {} for k in (
        "OperationChecker", "AcceleratorUtilizationChecker")}).checkers  # fmt: skip
    assert "NCHW is faster" in checkers["OperationChecker"].reports[0]
    idle = checkers["AcceleratorUtilizationChecker"].reports
    assert idle == [f"device: {gpu.lower()} low utilization: 0.00"]


# ---------------------------------------------------------------------------- mistakes
def with_(**options):
    return {**Builder.float_operation(), **options}


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (dict(cmd="foo"), "unknown cmd: foo"),
        (
            dict(options=with_(output="web")),
            "Unknown output type: web, Valid types: file",
        ),
        (
            dict(options=with_(output="file")),
            "Missing required output_options for file",
        ),
        (
            dict(options=with_(output="pprof:outfile=x")),
            "Only 'code' view supports pprof",
        ),
        (dict(options=with_(output="timeline:outfile=x"), cmd="op"), "op view doesn't"),
        (dict(options=with_(output="timeline:outfile=x"), cmd="graph"), "with_step"),
        (dict(options=with_(show_name_regexes=["a("])), "no regular expression"),
        (
            dict(
                options=with_(output="pprof:outfile=x", select=["device"]), cmd="code"
            ),
            "pprof doesn't support -select=device",
        ),
        (
            dict(
                options=with_(output="pprof:outfile=x", select=["a", "b"]), cmd="code"
            ),
            "Can only select 1 attribute",
        ),
    ],
)
def test_mistakes_are_named(call, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    build()
    with pytest.raises(tf.errors.InvalidArgumentError, match=text.replace("(", r"\(")):
        tf.profiler.profile(**call)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (dict(options=Builder()), r"`.build\(\)` at its end"),
        (dict(options=["params"]), "a dict is expected, as tf.profiler"),
        (dict(options=with_(max_depth="a")), "'max_depth' takes a int, but got 'a'"),
        (dict(options=with_(select="params")), "'select' takes a list of str"),
        (
            dict(options=with_(trim_name_regexes=[3])),
            "'trim_name_regexes' takes a list",
        ),
        (dict(run_meta="meta"), "a tf.RunMetadata is expected"),
    ],
)
def test_arguments_of_other_kinds_are_named(call, text):
    with pytest.raises(TypeError, match=text):
        tf.profiler.profile(**call)


def test_deep_names_are_those_of_tensorflow():
    model_analyzer = tf.contrib.tfprof.model_analyzer
    options = dict(model_analyzer.FLOAT_OPS_OPTIONS, output="none")
    y = build()
    found_there = model_analyzer.print_model_analysis(y.graph, tfprof_options=options)
    assert found_there == tf.profiler.profile(options=quiet(Builder.float_operation()))
    assert tf.contrib.tfprof.tfprof_logger.TRAINABLE_VARIABLES == "_trainable_variables"


def test_contexts_say_what_is_wrong(tmp_path):
    Context = tf.contrib.tfprof.ProfileContext
    with pytest.raises(ValueError, match="Must have a directory"):
        Context("")
    with pytest.raises(ValueError, match="up to 100 steps"):
        Context(str(tmp_path), range(200))
    with pytest.raises(ValueError, match="Unknown cmd: python"):
        Context(str(tmp_path)).add_auto_profiling("python", {}, [1])


# -------------------------------------------------------------------------- the pieces
def test_numbers_as_texts():
    assert [number_text(n) for n in (999, 1000, 10**6, 2 * 10**9)] == [
        "999", "1.00k", "1.00m", "2.00b",
    ]  # fmt: skip
    assert [time_text(n) for n in (999, 1500, 2500000)] == [
        "999us",
        "1.50ms",
        "2.50sec",
    ]
    assert [memory_text(n) for n in (5, 1024, 10**10)] == ["5B", "1.02KB", "10000.00MB"]


@pytest.mark.parametrize("count", [0, 1, 16, 17, 100, 1000])
def test_sorting_sorts(count):
    numbers = [(i * 7919) % 101 for i in range(count)]
    for items in (numbers, sorted(numbers), sorted(numbers)[::-1], [3] * count):
        assert std_sorted(items, lambda a, b: a < b) == sorted(items)


def test_sorting_does_not_become_slow():
    """A sequence made to be the worst for the median of three."""
    size, calls = 2000, [0]
    half = size // 2
    worst = [i + 1 if i % 2 else half + i + 1 for i in range(half)]
    worst += [2 * i + 2 for i in range(half)]

    def before(a, b):
        calls[0] += 1
        return a < b

    assert std_sorted(worst, before) == sorted(worst)
    assert calls[0] < 8 * size * math.log2(size)
