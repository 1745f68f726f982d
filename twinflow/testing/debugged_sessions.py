"""What tests of debugged sessions share: a folder for dumps, a plain configuration."""

import shutil
import tempfile
from typing import Any

from twinflow.formats.protos import ConfigProto, RewriterConfig
from twinflow.graph.defaults import reset_default_graph
from twinflow.testing.test_case import TestCase


def no_rewrite_session_config() -> Any:
    """A ConfigProto with which graphs run as they were made."""
    config = ConfigProto()
    options = config.graph_options.rewrite_options
    options.disable_model_pruning = True
    options.constant_folding = RewriterConfig.OFF
    options.arithmetic_optimization = RewriterConfig.OFF
    options.dependency_optimization = RewriterConfig.OFF
    return config


class SessionDebugTestBase(TestCase):
    """A test with a folder for dumps; what it asks of them, a subclass says."""

    def setUp(self) -> None:
        super().setUp()
        self._dump_root = tempfile.mkdtemp()

    def tearDown(self) -> None:
        reset_default_graph()
        shutil.rmtree(self._dump_root, ignore_errors=True)
        super().tearDown()

    def _debug_urls(self, run_number: int | None = None) -> Any:
        """Where the dumps of a run go."""
        return ["file://" + self._debug_dump_dir(run_number)]

    def _debug_dump_dir(self, run_number: int | None = None) -> str:
        """The folder of the dumps of a run."""
        below = "" if run_number is None else f"/run_{run_number}"
        return self._dump_root + below


class DebugConcurrentRunCallsTest(TestCase):
    """A test with an address for the dumps of each of several threads."""

    def _get_concurrent_debug_urls(self) -> list[str]:
        raise NotImplementedError(
            "_get_concurrent_debug_urls is not implemented in the base test class"
        )
