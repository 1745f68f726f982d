"""What tests read from event files, and a FileWriter that only keeps."""

import glob
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from twinflow.base.annotations import Path
from twinflow.formats.protos import Summary
from twinflow.graph.graph_def.compare_meta import assert_meta_graph_protos_equal
from twinflow.summary import writer


def assert_summary(
    expected_tags: Iterable[Any],
    expected_simple_values: dict[Any, Any],
    summary_proto: Any,
) -> None:
    """A Summary has just these tags, and near these values.

    Args:
        expected_tags: the tags. expected_simple_values: {tag: number} of some of them.
        summary_proto: the Summary.
    Raises:
        ValueError: it has other tags. AssertionError: a value is another one.
    Example:
        proto = tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=2.)])
        tf.contrib.testing.assert_summary(["loss"], {"loss": 2.}, proto)
    """
    for value in summary_proto.value:
        if value.tag in expected_simple_values:
            wanted = expected_simple_values[value.tag]
            np.testing.assert_almost_equal(
                value.simple_value, wanted, decimal=2, err_msg=value.tag
            )
    wanted, found = set(expected_tags), {value.tag for value in summary_proto.value}
    if wanted != found:
        raise ValueError(f"Expected tags {wanted}, got {found}.")


def to_summary_proto(summary_str: bytes) -> Any:
    """The Summary of its bytes."""
    return Summary.FromString(summary_str)


def latest_event_file(base_dir: Path) -> Any:
    """The path of the newest event file in a folder, or None."""
    return max(glob.glob(os.path.join(base_dir, "events.*")), default=None)


def latest_events(base_dir: Path) -> Iterable[Any]:
    """The events of the newest event file in a folder.

    Args:
        base_dir: the folder.
    Returns:
        Events; none where there is no file.
    Example:
        with tf.Graph().as_default(): tf.summary.FileWriter("./logs").close()
        versions = [e.file_version for e in tf.contrib.testing.latest_events("./logs")]
        versions  # ["brain.Event:2"]
    """
    path = latest_event_file(base_dir)
    return writer.summary_iterator(path) if path else []


def latest_summaries(base_dir: Path) -> list[Any]:
    """Those of `latest_events` that hold summaries."""
    return [e for e in latest_events(base_dir) if e.HasField("summary")]


def simple_values_from_events(
    events: Iterable[Any], tags: Iterable[Any]
) -> dict[Any, Any]:
    """The newest number under each tag.

    Args:
        events: Events. tags: the tags.
    Returns:
        {tag: number} of those that are there.
    Raises:
        ValueError: a summary of one of the tags is no number.
    Example:
        event = tf.Event(step=3)
        event.summary.value.add(tag="loss", simple_value=2.)
        tf.contrib.testing.simple_values_from_events([event], ["loss"])  # {"loss": 2.0}
    """
    newest: dict = {}
    for event in events:
        for value in event.summary.value:
            if value.tag not in tags:
                continue
            if not value.HasField("simple_value"):
                raise ValueError(f"Summary for {value.tag} is not a simple_value.")
            step, _ = newest.get(value.tag, (-1, None))
            if event.step > step:
                newest[value.tag] = event.step, value.simple_value
    return {tag: value for tag, (_, value) in newest.items()}


class FakeSummaryWriter:
    """A FileWriter that keeps what it is given, for `assert_summaries`.

    Args:
        logdir: the folder, which is not written to. graph: the Graph.
    Example:
        fake = tf.contrib.testing.FakeSummaryWriter("here")
        value = tf.Summary.Value(tag="loss", simple_value=2.)
        fake.add_summary(tf.Summary(value=[value]), 7)
        fake.assert_summaries(tf.test.TestCase(), "here", None, {7: {"loss": 2.}})
    """

    _replaced: Any = None

    def __init__(self, logdir: Path, graph: Any = None) -> None:
        self._logdir, self._graph = logdir, graph
        self._summaries: dict[Any, Any] = {}
        self._graphs: list[Any] = []
        self._meta_graphs: list[Any] = []
        self._session_logs: list[Any] = []
        self._added_run_metadata: dict[Any, Any] = {}

    @classmethod
    def install(cls) -> None:
        """Let FileWriterCache make these.

        Raises:
            ValueError: it does so already.
        """
        if FakeSummaryWriter._replaced is not None:
            raise ValueError("FakeSummaryWriter already installed.")
        FakeSummaryWriter._replaced = writer.FileWriter
        writer.FileWriter = FakeSummaryWriter  # type: ignore[assignment, misc]

    @classmethod
    def uninstall(cls) -> None:
        """Undo `install`.

        Raises:
            ValueError: there is nothing to undo.
        """
        if FakeSummaryWriter._replaced is None:
            raise ValueError("FakeSummaryWriter not installed.")
        writer.FileWriter = FakeSummaryWriter._replaced  # type: ignore[misc]
        FakeSummaryWriter._replaced = None

    @property
    def summaries(self) -> dict[Any, Any]:
        """{step: the Summaries added at it}."""
        return self._summaries

    def assert_summaries(
        self, test_case: Any, expected_logdir: Any = None, expected_graph: Any = None,
        expected_summaries: Any = None, expected_added_graphs: Any = None,
        expected_added_meta_graphs: Any = None, expected_session_logs: Any = None,
    ) -> None:  # fmt: skip
        """What was added is this; what is None is not looked at.

        Args:
            test_case: a TestCase. expected_summaries: {step: {tag: number}}.
            others: the folder, the Graph, and lists of what was added.
        Raises:
            AssertionError: it is not.
        """
        if expected_logdir is not None:
            test_case.assertEqual(expected_logdir, self._logdir)
        if expected_graph is not None:
            test_case.assertIs(expected_graph, self._graph)
        for step, values in (expected_summaries or {}).items():
            test_case.assertIn(step, self._summaries)
            test_case.assertEqual(values, self._values_of(step))
        if expected_added_graphs is not None:
            test_case.assertEqual(expected_added_graphs, self._graphs)
        if expected_added_meta_graphs is not None:
            wanted, found = expected_added_meta_graphs, self._meta_graphs
            test_case.assertEqual(len(wanted), len(found))
            for a, b in zip(wanted, found, strict=True):
                assert_meta_graph_protos_equal(test_case, a, b)
        if expected_session_logs is not None:
            test_case.assertEqual(expected_session_logs, self._session_logs)

    def _values_of(self, step):
        """{tag: number} of a step, without the speed, which other threads write."""
        values = [v for summary in self._summaries[step] for v in summary.value]
        return {v.tag: v.simple_value for v in values if v.tag != "global_step/sec"}

    def add_summary(self, summ: Any, current_global_step: Any) -> None:
        """Keep a Summary, or its bytes."""
        found = Summary.FromString(summ) if isinstance(summ, bytes) else summ
        self._summaries.setdefault(current_global_step, []).append(found)

    def add_graph(
        self, graph: Any, global_step: Any = None, graph_def: Any = None
    ) -> None:
        """Keep a Graph.

        Raises:
            ValueError: the step is negative, or there is a GraphDef.
        """
        _check_step(global_step)
        if graph_def is not None:
            raise ValueError(f"Unexpected graph_def {graph_def}.")
        self._graphs.append(graph)

    def add_meta_graph(self, meta_graph_def: Any, global_step: Any = None) -> None:
        """Keep a MetaGraphDef.

        Raises:
            ValueError: the step is negative.
        """
        _check_step(global_step)
        self._meta_graphs.append(meta_graph_def)

    def add_session_log(self, session_log: Any, global_step: Any = None) -> None:
        """Keep a SessionLog."""
        self._session_logs.append(session_log)

    def add_run_metadata(
        self, run_metadata: Any, tag: str, global_step: Any = None
    ) -> None:
        """Keep a RunMetadata under its tag.

        Raises:
            ValueError: the step is negative.
        """
        _check_step(global_step)
        self._added_run_metadata[tag] = run_metadata

    def flush(self) -> None:
        """Nothing waits."""

    def reopen(self) -> None:
        """Nothing was closed."""

    def close(self) -> None:
        """Nothing is open."""


def _check_step(step):
    if step is not None and step < 0:
        raise ValueError(f"Invalid global_step {step}.")
