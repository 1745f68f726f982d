"""One report: a view of what is known, printed or written as the options say."""

import sys
from typing import Any

from twinflow.base import errors
from twinflow.base.files import Open
from twinflow.formats.profile_protos import GraphNodeProto, MultiGraphNodeProto
from twinflow.profiler import charts
from twinflow.profiler.code_view import CodeView
from twinflow.profiler.group_views import OpView
from twinflow.profiler.node_views import GraphView, ScopeView
from twinflow.profiler.stats import Stats

VIEWS: dict[str, Any] = {
    "scope": ScopeView, "graph": GraphView, "op": OpView, "code": CodeView,
}  # fmt: skip
_OUTPUTS = {"file": "outfile", "none": "", "pprof": "outfile", "stdout": "",
            "timeline": "outfile"}  # fmt: skip
_NAMES = (
    "max_depth", "min_bytes", "min_peak_bytes", "min_residual_bytes",
    "min_output_bytes", "min_micros", "min_accelerator_micros", "min_cpu_micros",
    "min_params", "min_float_ops", "min_occurrence", "step", "order_by",
    "account_type_regexes", "start_name_regexes", "trim_name_regexes",
    "show_name_regexes", "hide_name_regexes", "account_displayed_op_only", "select",
)  # fmt: skip
_SCOPE = (
    "scope: The nodes in the model graph are organized by their names, which is "
    "hierarchical like filesystem."
)
_CPU = (
    "cpu execution time: The time from the start to the end of the operation. It's the "
    "sum of actual cpu run time plus the time that it spends waiting if part of "
    "computation is launched asynchronously."
)
_ACCELERATOR = (
    "accelerator execution time: Time spent executing on the accelerator. This is "
    "normally measured by the actual hardware library."
)
_DOCS = {  # the lines of 1.12's reports, which programs look for
    "scope": _SCOPE, "graph": _SCOPE,
    "op": "op: The nodes are operation kernel type, such as MatMul, Conv2D. Graph "
    "nodes belonging to the same type are aggregated together.",
    "code": "code: When python trace is available, the nodes are python lines and "
    "their are organized by the python call stack.",
    "accelerator_micros": _ACCELERATOR, "cpu_micros": _CPU,
    "bytes": "requested bytes: The memory requested by the operation, accumulatively.",
    "device": "device: which device is placed on.",
    "float_ops": "flops: Number of float operations. Note: Please read the "
    "implementation for the math behind it.",
    "input_shapes": "input shape: The shape of input tensors",
    "micros": "total execution time: Sum of accelerator execution time and cpu "
    f"execution time.\n{_CPU}\n{_ACCELERATOR}",
    "occurrence": "occurrence: The number of times it occurs",
    "op_types": "op_types: The attributes of the operation, includes the Kernel name "
    "device placed on and user-defined strings.",
    "output_bytes": "output bytes: The memory that is output from the operation (not "
    "necessarilty allocated by the operation)",
    "params": "param: Number of parameters (in the Variable).",
    "peak_bytes": "peak bytes: The peak amount of memory that the operation is holding "
    "at some point.",
    "residual_bytes": "residual bytes: The memory not de-allocated after the operation "
    "finishes.",
}  # fmt: skip


def report(stats: Stats, cmd: str, options: Any) -> Any:
    """Print or write a view, and return it.

    Args:
        stats: what is known. cmd: "scope", "graph", "op" or "code".
        options: an OptionsProto.
    Returns:
        A GraphNodeProto of the first two, a MultiGraphNodeProto of the others.
    Raises:
        InvalidArgumentError: the options name an output that there is none, or one
            that the view has not.
    """
    kind, path = output_of(options.output)
    if kind == "stdout":
        print(f"\n{_line('Options', 25)}\n{_options_text(options)}")
        print(f"\n{_line('Model Analysis Report', 18)}")
    found = _shown(stats, cmd, options, kind, path)
    if kind == "stdout":
        print(f"\n{_line('End of Report', 22)}")
    return found


def _line(title: str, at: int) -> str:
    return f"{'=' * at}{title}".ljust(61, "=")


def _shown(stats: Stats, cmd: str, options: Any, kind: str, path: str) -> Any:
    if not _is_known(stats, cmd, options):
        several = cmd in ("op", "code")
        return MultiGraphNodeProto() if several else GraphNodeProto()
    view = VIEWS[cmd](stats)
    root = view.show(options)
    if kind in ("stdout", "file"):
        text = f"{stats.warning()}{_doc(cmd, options)}{view.text(root, options)}"
        _put(text, path)
    elif kind == "timeline":
        path = charts.write_timeline(path, cmd, root, options.step)
        stars = "*" * 54
        print(
            f"\n{stars}\nTimeline file is written to {path}.\nOpen a Chrome browser, "
            f"enter URL chrome://tracing and load the timeline file.\n{stars}"
        )
    elif kind == "pprof":
        if cmd != "code":
            raise errors.InvalidArgumentError(
                None, None, "Only 'code' view supports pprof output now, but got "
                f"cmd={cmd!r}.",
            )  # fmt: skip
        charts.write_pprof(path, root, options)
        sys.stderr.write(f"Run pprof -png --nodecount=100 --sample_index=1 <{path}>\n")
    return view.proto(root)


def _put(text: str, path: str) -> None:
    if not path:
        sys.stdout.write(text)
        return
    with Open(path, "w") as file:
        file.write(text)


def _is_known(stats: Stats, cmd: str, options: Any) -> bool:
    """Whether there is anything of the step and the view; says so if not."""
    if options.step >= 0 and options.step not in stats.steps:
        known = "".join(f"{step} " for step in sorted(stats.steps))
        sys.stderr.write(
            f"Options -step={options.step} not found.\nAvailable steps: {known}\n"
        )
        return False
    if cmd == "code" and options.account_displayed_op_only:
        sys.stderr.write("Note: code view ignores account_displayed_op_only\n")
    if cmd == "code" and not stats.has_traces:
        sys.stderr.write("No code trace information\n")
    return cmd != "code" or stats.has_traces


def output_of(text: str) -> tuple[str, str]:
    """("file", "path") of `file:outfile=path`.

    Raises:
        InvalidArgumentError: there is no such output, or it has no path.
    """
    kind, _, rest = text.partition(":")
    if kind not in _OUTPUTS:
        raise errors.InvalidArgumentError(
            None, None, f"E.g. Unknown output type: {kind}, Valid types: "
            f"{','.join(_OUTPUTS)}\n",
        )  # fmt: skip
    key, _, path = rest.partition("=")
    if _OUTPUTS[kind] and (key != _OUTPUTS[kind] or not path):
        raise errors.InvalidArgumentError(
            None, None, f"Missing required output_options for {kind}\nE.g. -output "
            f"{kind}:outfile=...\n",
        )  # fmt: skip
    return kind, path if _OUTPUTS[kind] else ""


def _doc(cmd: str, options: Any) -> str:
    lines = [_DOCS[cmd]]
    for name in sorted(set(options.select)):
        lines.append(_DOCS.get(name, f"Unknown select: {name}"))
    text = "\n".join(lines)
    return f"\nDoc:\n{text}\n\nProfile:\n"


def _options_text(options: Any) -> str:
    lines = []
    for name in _NAMES:
        value = getattr(options, name)
        if isinstance(value, bool):
            value = str(value).lower()
        elif not isinstance(value, int | str):
            value = ",".join(sorted(set(value)) if name == "select" else value)
        lines.append(f"{f'-{name}':<28}{value}")
    kind, path = output_of(options.output)
    lines.append(f"{'-output':<28}{kind}:{f'outfile={path}' if path else ''}")
    return "\n".join(lines)
