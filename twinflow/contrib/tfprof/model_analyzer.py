"""tf.contrib.tfprof.model_analyzer: the older names of tf.profiler, with options."""

from typing import Any

from twinflow.profiler import analyzer
from twinflow.profiler.analyzer import ALL_ADVICE, Profiler
from twinflow.profiler.contexts import ProfileContext
from twinflow.profiler.options import ProfileOptionBuilder

__all__ = [
    "ALL_ADVICE",
    "FLOAT_OPS_OPTIONS",
    "PRINT_ALL_TIMING_MEMORY",
    "TRAINABLE_VARS_PARAMS_STAT_OPTIONS",
    "ProfileContext",
    "Profiler",
    "advise",
    "print_model_analysis",
]  # fmt: skip


def _older(options: dict[str, Any], **others: Any) -> dict[str, Any]:
    kept = {k: v for k, v in options.items() if k not in ("min_occurrence", "step")}
    return {**kept, "dump_to_file": "", **others}


TRAINABLE_VARS_PARAMS_STAT_OPTIONS = _older(
    ProfileOptionBuilder.trainable_variables_parameter()
)
FLOAT_OPS_OPTIONS = _older(ProfileOptionBuilder.float_operation())
PRINT_ALL_TIMING_MEMORY = {
    **TRAINABLE_VARS_PARAMS_STAT_OPTIONS, "min_bytes": 1, "min_micros": 1,
    "account_type_regexes": [".*"], "select": ["micros", "bytes"],
}  # fmt: skip


def advise(graph: Any, run_meta: Any = None, tfprof_options: Any = 0) -> Any:
    """tf.profiler.advise."""
    return analyzer.advise(graph, run_meta, tfprof_options)


def print_model_analysis(
    graph: Any, run_meta: Any = None, op_log: Any = None, tfprof_cmd: str = "scope",
    tfprof_options: Any = 0,
) -> Any:  # fmt: skip
    """tf.profiler.profile."""
    return analyzer.profile(graph, run_meta, op_log, tfprof_cmd, tfprof_options)
