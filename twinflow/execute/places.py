"""On which accelerator the nodes of a program run, and how values get there.

Note [Accelerators]: a cluster runs on one device, so a program is cut where the device
changes, too. A node that asks for an accelerator runs there once its cluster is
compiled, which begins at its first run; until then, and where XLA cannot compile it, it
is interpreted on the CPU, with the same numbers. One that asks for the CPU stays there.
One that asks for nothing goes to its variable, else to the first accelerator, if XLA is
faster there than the interpreter here (Note [Tiers]). What a cluster leaves stays on
its device: variables until they are read, values for the next cluster, results of
functions as tensors of that device. Host steps and sessions get arrays, one copy each.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import devices, dtypes
from twinflow.graph.program import regions

if TYPE_CHECKING:
    from twinflow.graph.node import Node
    from twinflow.graph.program import Program

HOST = -1  # the home of a node that is no part of a cluster


class Places:
    """Where the nodes of a program run; all on the CPU without an accelerator.

    Args:
        free: the accelerator for nodes that ask for none, or None for the CPU.
        asked: whether somebody asked for it on their behalf.
        stay: whether results stay where they are.
    """

    def __init__(
        self, free: int | None = None, asked: bool = False, stay: bool = False
    ) -> None:
        self.there = devices.num_gpus()
        self.free = free if free is None or free < self.there else None
        self.asked, self.stay = asked, stay

    def of(self, node: "Node", program: "Program") -> int | None:
        """The number of the accelerator of a node, None for the CPU."""
        if not self.there:
            return None
        found = self.asked_by(node, program)
        return self.free if found == "" else found

    def is_asked(self, nodes: "list[Node]", program: "Program") -> bool:
        """Whether one of them has to be on an accelerator, faster or not."""
        if not self.there:
            return False
        asked = (self.asked_by(n, program) for n in nodes)
        return self.asked or any(type(a) is int for a in asked)

    def results(self, values: list, count: int) -> list:
        """What a function gives, of which the caller sees the first `count` values.

        They are where it was asked to run, however it ran; if nobody asked, what the
        caller sees is here.
        """
        if self.asked:
            put = devices.accelerators().put
            return [put(v, self.free) if _is_plain(v) else v for v in values]
        seen = values[:count]
        to_host(seen, list(range(len(seen))))
        return seen + values[count:]

    def asked_by(self, node: "Node", program: "Program") -> Any:
        """What a node, its variables or what is inside of it asks for; "": nothing."""
        found = self._named(node.device)
        for t in node.inputs if found == "" else ():
            t = program.resolve(t)
            if t.dtype is dtypes.resource or t.dtype._is_ref_dtype:
                found = self._named(t.op.device)
                if found != "":
                    return found
        for r in regions(node) if found == "" else ():
            for inner in program.bodies[r].nodes:
                found = self.asked_by(inner, program.bodies[r])
                if found != "":
                    return found
        return found

    def _named(self, name: str) -> Any:
        if not name:
            return ""
        try:
            spec = devices.DeviceSpec.from_string(name)
        except ValueError:
            return ""
        if spec.device_type == "CPU":
            return None
        index = spec.device_index or 0
        return index if spec.device_type == "GPU" and index < self.there else ""


def _is_plain(value: Any) -> bool:
    array = isinstance(value, np.ndarray | np.generic)
    return array and value.dtype.kind not in "OSU"


def of_session(names: list[str]) -> Places:
    """The Places of a session that has the devices `names`."""
    return Places(0 if any("GPU" in name for name in names) else None)


def to_host(v: list, slots: list[int]) -> None:
    """Make arrays of the buffers in some slots of the values `v`."""
    is_buffer = devices.accelerators().is_buffer
    for i in slots:
        if is_buffer(v[i]):
            v[i] = devices.accelerators().read(v[i])


def wait_for(values: list) -> None:
    """Wait until the buffers among `values` are computed."""
    is_buffer = devices.accelerators().is_buffer
    for value in values:
        if is_buffer(value):
            value.block_until_ready()
