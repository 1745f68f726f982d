"""Where the nodes of a graph may run: the devices they ask for, against those there.

Note [Placement]: a graph that asks for a device that is not there is refused, all of
it and not only what is fetched, as TensorFlow does when a session first runs it; where
the others run says Note [Accelerators]. With `allow_soft_placement` the type and the
number of a device are wishes; the job, the replica and the task never are.
"""

from typing import Any

from twinflow.base import devices, errors
from twinflow.execute.node_errors import described
from twinflow.graph.node import Node

_COMPILER = "device:XLA_CPU:0"  # what compiles for the CPU anyway


class Placement:
    """Looks at each node of a graph once, when a session makes a plan.

    Args:
        available: the names of the devices. config: the ConfigProto, or None.
    """

    def __init__(self, available: list[str], config: Any) -> None:
        self._available = available
        tasks = {name.rpartition("/")[0] for name in available}
        compilers = [f"{task}/{_COMPILER}" for task in tasks]
        self._specs = [_spec(name) for name in (*available, *compilers)]
        self._soft = bool(getattr(config, "allow_soft_placement", False))
        self._known: dict[str, bool] = {"": True}
        self._seen = 0

    def check(self, nodes: list[Node]) -> None:
        """Raise InvalidArgumentError for a node on a device that is not there."""
        if len(nodes) == self._seen:
            return
        wrong = [n for n in nodes[self._seen :] if not self._is_there(n.device)]
        if wrong:
            raise self._error(next(filter(_is_no_source, wrong), wrong[0]))
        self._seen = len(nodes)

    def _is_there(self, name: str) -> bool:
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._decide(name)
        return found

    def _decide(self, name: str) -> bool:
        try:
            asked = _spec(name)
        except ValueError:  # a name that a GraphDef or a device function gave
            return False
        if self._soft:
            asked.device_type = asked.device_index = None
        return any(covers(asked, spec) for spec in self._specs)

    def _error(self, node: Node) -> errors.OpError:
        text = (
            f"Cannot assign a device for operation {node.name}: Operation was "
            f"explicitly assigned to {node.device} but available devices are "
            f"[ {', '.join(self._available)} ]. Make sure the device specification "
            "refers to a valid device."
        )
        text = f"{text}\n\t {described(node, device=node.device)}"
        return errors.InvalidArgumentError(None, node, text)


def _is_no_source(node: Node) -> bool:
    """TensorFlow places the others first: they say where plain sources go."""
    return bool(node.inputs) or node.opdef.stateful


def _spec(name: str) -> devices.DeviceSpec:
    return devices.DeviceSpec.from_string(name)


def covers(asked: devices.DeviceSpec, there: devices.DeviceSpec) -> bool:
    """Whether a device has every part that is asked for."""
    parts = ("job", "replica", "task", "device_type", "device_index")
    return all(getattr(asked, p) in (None, getattr(there, p)) for p in parts)
