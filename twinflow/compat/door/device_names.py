"""tensorflow.python.training.device_util: names of devices, and this place's."""

from twinflow.base import devices, dispatch
from twinflow.formats import protos
from twinflow.graph.defaults import get_default_graph


class _Unplaced:
    """Stands for an operation that device functions are asked about."""

    name = type = "FakeOperation"

    def __init__(self):
        self.device, self.marks = "", None
        self.node_def = protos.NodeDef(name=self.name, op=self.type)


def canonicalize(d, default=None):
    """A name with its replica and task, and the parts that only `default` has.

    Args:
        d, default: names of devices.
    """
    found = devices.DeviceSpec.from_string(default or "")
    found.merge_from(devices.DeviceSpec.from_string(d))
    given = devices.DeviceSpec(replica=0, task=0, device_type="CPU", device_index=0)
    given.merge_from(found)
    return given.to_string()


def current():
    """The device that a node made here would ask for; eagerly where values go."""
    if dispatch.current_mode().eager:
        return devices.full(devices.canonical(dispatch.local.device or ""))
    fake = _Unplaced()
    for scope in get_default_graph().device_scopes:
        fake.device = scope(fake)
    return fake.device


def resolve(d):
    """`canonicalize` with the device of this place as the default."""
    return canonicalize(d, default=current())
