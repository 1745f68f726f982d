"""tf.profiler.profile, Profiler and advise: the views of a graph and of its steps."""

from typing import Any

from twinflow.base import errors
from twinflow.base.annotations import Path
from twinflow.base.files import Open
from twinflow.formats import protos
from twinflow.formats.profile_protos import ProfileProto
from twinflow.profiler import advice
from twinflow.profiler.op_log import graph_or_default, merge_default_with_oplog
from twinflow.profiler.options import (
    ProfileOptionBuilder,
    advisor_options,
    options_proto,
)
from twinflow.profiler.reports import VIEWS, report
from twinflow.profiler.stats import Stats

ALL_ADVICE: dict[str, dict] = {
    "ExpensiveOperationChecker": {}, "AcceleratorUtilizationChecker": {},
    "JobChecker": {}, "OperationChecker": {},
}  # fmt: skip


def _add_graph(stats: Stats, graph: Any) -> None:
    if graph:
        stats.add_graph(graph.as_graph_def(add_shapes=True))


def _check_run(run_meta: Any) -> None:
    if run_meta is not None and not hasattr(run_meta, "step_stats"):
        raise TypeError(
            f"run_meta is {run_meta!r}, but a tf.RunMetadata is expected, one that "
            "`session.run(..., options=tf.RunOptions(trace_level=tf.RunOptions."
            "FULL_TRACE), run_metadata=run_meta)` has filled."
        )


class Profiler:
    """What a graph and the steps that ran of it say of their costs.

    Args:
        graph: a tf.Graph; the default one if None, and none in eager execution.
        op_log: an OpLogProto of the caller's, with types of nodes.
    Example:
        with tf.Graph().as_default() as graph:
            x = tf.get_variable("x", [2, 3])
        profiler = tf.profiler.Profiler(graph)
        builder = tf.profiler.ProfileOptionBuilder
        options = builder.trainable_variables_parameter()
        options["output"] = "none"
        profiler.profile_name_scope(options).total_parameters  # 6
    """

    def __init__(self, graph: Any = None, op_log: Any = None) -> None:
        self._graph = graph_or_default(graph)
        self._coverage = 0.0
        log = merge_default_with_oplog(self._graph, op_log=op_log)
        self._stats = _stats_of(self._graph, None, log)

    def add_step(self, step: int, run_meta: Any) -> None:
        """Add what a run said of itself.

        Args:
            step: a number; runs of one are taken together, and the option `step` asks
                for it. run_meta: the RunMetadata of a run with
                RunOptions(trace_level=RunOptions.FULL_TRACE).
        """
        _check_run(run_meta)
        log = merge_default_with_oplog(self._graph, run_meta=run_meta)
        _add_graph(self._stats, self._graph)
        self._stats.add_run(step, run_meta)
        self._stats.add_log(log)  # knows the lines of loops, which a run makes known
        self._coverage = self._stats.coverage()

    def profile_python(self, options: dict[str, Any]) -> Any:
        """What the lines of the program cost: a MultiGraphNodeProto."""
        return report(self._stats, "code", options_proto(options))

    def profile_operations(self, options: dict[str, Any]) -> Any:
        """What the types of ops cost: a MultiGraphNodeProto."""
        return report(self._stats, "op", options_proto(options))

    def profile_name_scope(self, options: dict[str, Any]) -> Any:
        """What nodes cost, below the scopes of their names: a GraphNodeProto."""
        return report(self._stats, "scope", options_proto(options))

    def profile_graph(self, options: dict[str, Any]) -> Any:
        """What nodes cost, below those that take their outputs: a GraphNodeProto."""
        return report(self._stats, "graph", options_proto(options))

    def advise(self, options: dict[str, dict[Any, Any]]) -> Any:
        """What is slow, by the checkers that are named: an AdviceProto."""
        return advice.advise(self._stats, advisor_options(options).checkers)

    def serialize_to_string(self) -> bytes:
        """All that is known, as the bytes of a ProfileProto."""
        return self._stats.to_proto().SerializeToString()

    def _write_profile(self, filename: Path) -> None:
        with Open(filename, "wb") as file:
            file.write(self.serialize_to_string())

    @classmethod
    def _from_file(cls, filename: Path) -> "Profiler":
        """The Profiler that `_write_profile` wrote, without its graph."""
        made = cls.__new__(cls)
        with Open(filename, "rb") as file:
            proto = ProfileProto.FromString(file.read())
        made._graph, made._stats = None, Stats.from_proto(proto)
        made._coverage = made._stats.coverage()
        return made


def profile(
    graph: Any = None, run_meta: Any = None, op_log: Any = None, cmd: str = "scope",
    options: Any = 0,
) -> Any:  # fmt: skip
    """Count the parameters, operations, times and memory of a graph, and report them.

    Args:
        graph: a tf.Graph; the default one if None, and none in eager execution.
        run_meta: the RunMetadata of a run with
            RunOptions(trace_level=RunOptions.FULL_TRACE), for times and memory.
        op_log: an OpLogProto of the caller's, with types of nodes.
        cmd: "scope", nodes below the scopes of their names; "graph", below those that
            take their outputs; "op", by type; "code", by the lines of the program.
        options: a dict, see tf.profiler.ProfileOptionBuilder; by default the
            parameters of trainable variables.
    Returns:
        A GraphNodeProto for "scope" and "graph", a MultiGraphNodeProto for others. The
        report is printed, or written where the options say.
    Raises:
        InvalidArgumentError: another `cmd`, an output that the view does not have, or
            a regular expression that is none. TypeError: an option of another kind.
    Example:
        with tf.Graph().as_default() as graph:
            x = tf.ones([2, 3])
            tf.matmul(x, x, transpose_b=True)
        builder = tf.profiler.ProfileOptionBuilder
        options = builder(builder.float_operation()).with_empty_output().build()
        tf.profiler.profile(graph, options=options).total_float_ops  # 24
    """
    if cmd not in VIEWS:
        raise errors.InvalidArgumentError(None, None, f"unknown cmd: {cmd}\n")
    graph = graph_or_default(graph)
    if not options:
        options = ProfileOptionBuilder.trainable_variables_parameter()
    _check_run(run_meta)
    log = merge_default_with_oplog(graph, op_log, run_meta, add_trace=cmd == "code")
    return report(_stats_of(graph, run_meta, log), cmd, options_proto(options))


def _stats_of(graph: Any, run_meta: Any, log: Any) -> Stats:
    print("Parsing Inputs...")
    stats = Stats()
    _add_graph(stats, graph)
    if run_meta and run_meta != protos.RunMetadata():
        stats.add_run(0, run_meta)
    stats.add_log(log)
    return stats


def advise(graph: Any = None, run_meta: Any = None, options: Any = 0) -> Any:
    """Say what of a run is slow.

    Args:
        graph: a tf.Graph; the default one if None, and none in eager execution.
        run_meta: the RunMetadata of a run with
            RunOptions(trace_level=RunOptions.FULL_TRACE).
        options: {the name of a checker: {}}; by default all of them.
    Returns:
        An AdviceProto with the reports of each checker; they are printed, too.
    Example:
        y = tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
        metadata = tf.RunMetadata()
        trace = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        with tf.Session() as sess: sess.run(y, None, trace, metadata)
        advice = tf.profiler.advise(y.graph, metadata)
        sorted(advice.checkers)[1]  # "ExpensiveOperationChecker"
    """
    graph = graph_or_default(graph)
    _check_run(run_meta)
    log = merge_default_with_oplog(graph, None, run_meta)
    chosen = advisor_options(options if options else ALL_ADVICE)
    return advice.advise(_stats_of(graph, run_meta, log), chosen.checkers)
