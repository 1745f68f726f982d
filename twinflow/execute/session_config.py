"""What a ConfigProto and RunOptions ask for, and what of it has no meaning here."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import devices, logging
from twinflow.base.accelerator_options import set_memory
from twinflow.formats import protos

if TYPE_CHECKING:
    from twinflow.execute.places import Places
    from twinflow.graph.program import Program

# What a session does as it is asked to, or does anyway.
_KEPT = frozenset((
    "allow_soft_placement", "log_device_placement", "operation_timeout_in_ms",
    "device_count", "isolate_session_state", "gpu_options.allow_growth",
    "gpu_options.per_process_gpu_memory_fraction", "gpu_options.visible_device_list",
    "device_filters", "cluster_def", "rpc_options",
    "graph_options.infer_shapes",
    "graph_options.build_cost_model", "graph_options.build_cost_model_after",
    "graph_options.place_pruned_graph", "graph_options.rewrite_options",
    "graph_options.optimizer_options.opt_level",
    "graph_options.optimizer_options.do_common_subexpression_elimination",
    "graph_options.optimizer_options.do_constant_folding",
    "graph_options.optimizer_options.do_function_inlining",
    "graph_options.optimizer_options.global_jit_level",
))  # fmt: skip
_RUN_KEPT = (
    "trace_level", "timeout_in_ms", "output_partition_graphs",
    "inter_op_thread_pool", "debug_options",
)  # fmt: skip
_said: set = set()


def soft_placement() -> Any:
    """The ConfigProto that Keras, estimators and tests start their sessions with."""
    return protos.ConfigProto(allow_soft_placement=True)


def checked(config: Any) -> Any:
    """A ConfigProto, or None.

    Raises:
        TypeError: it is something else.
    """
    if config is None:
        return None
    kind = getattr(type(config), "DESCRIPTOR", None)
    if getattr(kind, "full_name", None) != "tensorflow.ConfigProto":
        raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
    if not isinstance(config, protos.ConfigProto):  # of another pool of messages
        config = protos.ConfigProto.FromString(config.SerializeToString())
    set_memory(config.gpu_options)
    _say("ConfigProto", [f for f in _fields(config) if f not in _KEPT])
    return config


def _fields(message: Any, prefix: str = "") -> Iterator[str]:
    """The paths of the fields that are set."""
    for field, value in message.ListFields():
        path = prefix + field.name
        one = hasattr(value, "ListFields")
        if one and path not in _KEPT:
            yield from _fields(value, path + ".")
        else:
            yield path


def _say(kind: str, fields: list) -> None:
    """Log, once for each, that fields have no effect."""
    new = [f for f in fields if f not in _said]
    if new:
        _said.update(new)
        have = "has" if len(new) == 1 else "have"
        logging.warn(
            "%s.%s %s no effect: twinflow runs a session in one process, with NumPy "
            "and XLA.",
            kind, ", ".join(new), have,
        )  # fmt: skip


def limit_of(options: Any, config: Any) -> int:
    """The milliseconds that a run may wait for other threads, or 0."""
    found: Any = 0
    if options is not None:
        found = getattr(options, "timeout_in_ms", None)
        if found is None:  # no RunOptions: another message, or nothing of the kind
            found = options.SerializeToString and 0
        elif hasattr(options, "ListFields"):
            fields = [f.name for f, _ in options.ListFields()]
            _say("RunOptions", [f for f in fields if f not in _RUN_KEPT])
    return found or getattr(config, "operation_timeout_in_ms", 0)


def say_places(program: "Program", config: Any, places: "Places") -> None:
    """Print where the nodes of a program run, if the ConfigProto asks for it."""
    if config is not None and config.log_device_placement:
        for n in program.nodes:
            place = devices.full(n.device or devices.name_of(places.of(n, program)))
            print(f"{n.name}: ({n.type}): {place}", file=sys.stderr)


def device_names(config: Any, prefix: str = devices.HERE) -> list[str]:
    """The names of the devices that a ConfigProto leaves.

    Args:
        config: the ConfigProto, or None. prefix: the job, replica and task.
    """
    count = dict(config.device_count) if config is not None else {}
    names = (n.rpartition("/")[-1] for n in devices.list_devices())
    gpus = [n for n in names if "GPU" in n][: count.get("GPU")]
    cpus = [f"device:CPU:{i}" for i in range(count.get("CPU") or 1)]
    return [f"{prefix}/{n}" for n in cpus + gpus]
