"""tensorflow.python.client.device_lib and platform.build_info: what there is."""

from typing import NamedTuple

from twinflow.base import devices

is_cuda_build = False


class Device(NamedTuple):
    """One device, as DeviceAttributes say it."""

    name: str
    device_type: str
    memory_limit: int
    incarnation: int
    physical_device_desc: str


def list_local_devices(session_config=None):
    """The devices of this machine: the CPU first."""
    found = []
    for i, name in enumerate(devices.list_devices()):
        short = name[name.rindex("/") :]
        kind = short.split(":")[1]
        found.append(Device(short, kind, 1 << 28, i + 1, ""))
    return found


def check_valid(spec):
    """Raise ValueError where a text names no device."""
    devices.DeviceSpec.from_string(spec)


def merge_device(spec):
    """A function that fills what a node's device leaves open.

    Args:
        spec: a DeviceSpec, or its text.
    """
    name = devices.canonical(spec)
    return lambda node: devices.merged(name, devices.canonical(node.device or ""))
