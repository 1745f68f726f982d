"""twinflow's homes of what TensorFlow 1.12 has in its deep modules, see homes.txt."""

from pathlib import Path

from twinflow.base.public_index import sections, table

# Where programs set a name (a mock, say), it is set in twinflow's module as well.
PATCHED = {
    "python.platform.tf_logging": "twinflow.base.logging",
    "python.training.saver": "twinflow.checkpoint.saver",
    "python.framework.error_interpolation": "twinflow.compat.door.error_interpolation",
    "python.training.server_lib": "twinflow.estimator.training",
    "python.training.basic_session_run_hooks": (
        "twinflow.estimator.continuous_evaluation"
    ),
    "python.estimator.training": "twinflow.estimator.training",
    "python.distribute.distribute_coordinator": (
        "twinflow.train.distribute_coordinator"
    ),
    "python.training.checkpoint_management": "twinflow.checkpoint.manager",
    "python.debug.lib.source_utils": "twinflow.tfdbg.dumps.sources",
    "python.training.training": "twinflow.train.monitored_session",
}

# Modules that are programs: what `-m` of them runs.
PROGRAMS = {
    "tensorflow.python.debug.cli.offline_analyzer": "twinflow.tfdbg.analysis.offline"
}

# Modules that do something when they are imported, beside having names.
AT_ONCE = {"python.framework.test_ops": "twinflow.compat.door.test_ops"}


def _same_task(text: str) -> dict[str, tuple[str, ...]]:
    """{path of TensorFlow: modules of the same task}."""
    lines = text.replace("\n  ", " ").splitlines()
    pairs = (line.partition(":") for line in lines if line and line[0] != "#")
    return {path: tuple(homes.split()) for path, _, homes in pairs}


def _elsewhere(text: str) -> dict[str, str]:
    """{name: module, or module:attribute}."""
    return {
        name: home if attribute == "*" else f"{home}:{attribute}"
        for name, (home, attribute) in table(text).items()
    }


_FIRST, *_REST = sections(Path(__file__).with_suffix(".txt")).items()
MODULES = _same_task(_FIRST[1])
NAMES = {path: _elsewhere(text) for path, text in _REST}
