"""Profiles as files for other tools: Chrome's trace viewer and pprof."""

import gzip
from typing import Any

from twinflow.base import errors
from twinflow.base.files import Open
from twinflow.execute.timeline import ChromeTrace
from twinflow.formats.profile_protos import Profile
from twinflow.profiler.code_view import Line
from twinflow.profiler.shown import Entry, number_of
from twinflow.profiler.walking import shown_in_order

_PPROF = {  # what pprof says of what can be selected: (unit, comment)
    "bytes": (
        "bytes", "Sum of operation total memory requests, excluding deallocations.",
    ),
    "peak_bytes": ("bytes", "Sum of operation peak memory usage."),
    "residual_bytes": ("bytes", "Sum of operation allocated memory after finish."),
    "output_bytes": ("bytes", "Sum of operation output size."),
    "micros": (
        "microseconds", "Sum of accelerator execution time and cpu execution time.",
    ),
    "accelerator_micros": ("microseconds", "Accelerator execution time."),
    "cpu_micros": ("microseconds", "CPU execution time."),
    "params": ("count", "Model parameters."),
    "float_ops": ("count", "Model float operations (Only available if defined)."),
}  # fmt: skip


# ------------------------------------------------------------------- Chrome's viewer
def write_timeline(path: str, cmd: str, root: Entry, step: int) -> str:
    """Write what a view shows as a trace; the path of the file.

    Args:
        path: of the file, to which `_<step>` is added. cmd: the view: the graph is
            drawn over the time of the step, others as they stand below each other.
        root: what the view shows. step: whose times.
    Raises:
        InvalidArgumentError: the view has none, or the graph is to be drawn over the
            time of all steps at once.
    """
    trace = ChromeTrace()
    if cmd == "op":
        raise errors.InvalidArgumentError(
            None, None, "op view doesn't support timeline yet. Consider "
            "graph/scope/code view.",
        )  # fmt: skip
    if cmd == "graph":
        if step < 0:
            raise errors.InvalidArgumentError(
                None, None, "Must specify -step option to generate timeline in graph "
                "view: ProfileOptionBuilder.with_step(step) says which one.",
            )  # fmt: skip
        _draw_step(trace, root, step)
    else:
        _draw_levels(trace, root)
    path = f"{path}_{step}"
    with Open(path, "w") as file:
        file.write(trace.format_to_string())
    return path


def _draw_levels(trace: ChromeTrace, root: Entry) -> None:
    """A lane a level; what is below an entry lies side by side under it."""
    named: set[int] = set()
    starts = [0]
    for entry, depth in shown_in_order(root):
        if entry is not root and entry.total.exec_micros <= 0:
            continue
        del starts[depth + 1 :]
        if depth not in named:
            trace.name(depth, f"Scope:{depth}")
            named.add(depth)
        start, taken = starts[depth], entry.total.exec_micros
        about = {"name": entry.name, "op": entry.name}
        trace.region(start, taken, depth, 0, entry.name, about)
        starts[depth] += taken
        starts.append(start)


def _draw_step(trace: ChromeTrace, root: Entry, step: int) -> None:
    """Devices with lanes: nodes at their times, arrows from where inputs ended."""
    lanes: dict[str, list[int]] = {}
    ends: dict[str, tuple[int, int, int]] = {}
    drawn = sorted(_runs(root, step), key=lambda run: run[2])
    devices = sorted({device for _, device, _, _ in drawn})
    for pid, device in enumerate(devices):
        kind = "execution" if "stream:" in device else "scheduling"
        trace.name(pid, f"Op {kind} threads: {device}")
    for entry, device, start, taken in drawn:
        pid, tid = devices.index(device), _lane(lanes.setdefault(device, []), start)
        lanes[device][tid] = start + taken
        trace.region(start, taken, pid, tid, entry.name, {"name": entry.name})
        for source, _ in entry.node.inputs.values():
            end = ends.get(source)
            if end is not None and end[:2] != (pid, tid):
                number = len(trace.events)
                trace.flow("s", end[2], *end[:2], number)
                trace.flow("t", start, pid, tid, number)
        ends[entry.name] = (pid, tid, start + taken)


def _runs(root: Entry, step: int) -> list[tuple[Any, str, int, int]]:
    """(entry, device, start, micros) of all that is shown and ran."""
    return [
        (entry, device, *time.int64_values[:2])
        for entry, _ in shown_in_order(root)
        for run in entry.node.steps(step)
        for of in (run.cpu_execs, run.accelerator_execs)
        for device, execs in of.items()
        for time in execs.times
    ]


def _lane(ends: list[int], start: int) -> int:
    """The first lane that is free again."""
    found = next((i for i, end in enumerate(ends) if end <= start), len(ends))
    if found == len(ends):
        ends.append(start)
    return found


# --------------------------------------------------------------------------- pprof
def write_pprof(path: str, root: Entry, options: Any) -> None:
    """Write what the view of lines shows for pprof, gzipped.

    Raises:
        InvalidArgumentError: not exactly one number is selected.
    """
    select = list(options.select)
    if len(select) != 1:
        raise errors.InvalidArgumentError(
            None, None, "Can only select 1 attribute for pprof output, but got "
            f"{select}: ProfileOptionBuilder.select(['micros']) takes one.",
        )  # fmt: skip
    if select[0] not in _PPROF:
        raise errors.InvalidArgumentError(
            None, None, f"pprof doesn't support -select={select[0]}; one of "
            f"{', '.join(_PPROF)} is expected.",
        )  # fmt: skip
    made = _Samples(select[0])
    for entry, _ in shown_in_order(root):
        for one in entry.counted:
            made.add(one.name, entry.stack(), number_of(one, select[0]))
    with Open(path, "wb") as file:
        file.write(gzip.compress(made.proto.SerializeToString(), mtime=0))


class _Samples:
    """A pprof Profile in the making."""

    def __init__(self, kind: str) -> None:
        self.proto = Profile()
        self._texts: dict[str, int] = {}
        self._functions: dict[tuple, int] = {}
        self._locations: dict[Line, int] = {}
        self._text("")
        unit, comment = _PPROF[kind]
        self.proto.sample_type.add(type=self._text("count"), unit=self._text("count"))
        self.proto.sample_type.add(type=self._text(kind), unit=self._text(unit))
        self.proto.comment.append(self._text(comment))

    def add(self, name: str, stack: list[Line], value: int) -> None:
        """A node with its stack, outermost first, and its number."""
        sample = self.proto.sample.add(value=[1, value])
        sample.location_id.extend(self._location(line) for line in reversed(stack))
        sample.label.add(key=self._text("graph node:"), str=self._text(name))

    def _text(self, text: str) -> int:
        if text not in self._texts:
            self._texts[text] = len(self._texts)
            self.proto.string_table.append(text)
        return self._texts[text]

    def _location(self, line: Line) -> int:
        if line not in self._locations:
            number = self._locations[line] = len(self._locations) + 1
            place = self.proto.location.add(id=number)
            place.line.add(function_id=self._function(line), line=line.line)
        return self._locations[line]

    def _function(self, line: Line) -> int:
        key = (line.file, line.function, line.start)
        if key not in self._functions:
            number = self._functions[key] = len(self._functions) + 1
            module = line.file.rpartition("/")[2].removesuffix(".py")
            self.proto.function.add(
                id=number, name=self._text(f"{module}:{line.function}"),
                filename=self._text(line.file), start_line=line.start,
            )  # fmt: skip
        return self._functions[key]
