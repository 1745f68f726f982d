"""tensorflow.python.client.device_lib and platform.build_info: what there is."""

from typing import NamedTuple

from twinflow.base import devices
from twinflow.base.accelerator_options import set_memory
from twinflow.base.op_defs import kinds
from twinflow.base.op_lookup import known_op
from twinflow.formats import protos

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
    if session_config is not None:
        set_memory(session_config.gpu_options)
    found = []
    for i, name in enumerate(devices.list_devices()):
        short = name[name.rindex("/") :]
        kind, facts = short.split(":")[1], devices.facts_of(name)
        found.append(Device(short, kind, facts.memory_limit, i + 1, facts.description))
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


def get_all_registered_kernels():
    """A KernelList of all ops of the OpDefs: each has a kernel on the CPU."""
    return protos.KernelList(kernel=[_kernel(name) for name in kinds()])


def get_registered_kernels_for_op(name):
    """A KernelList of the kernels of an op."""
    found = [] if known_op(name) is None else [_kernel(name)]
    return protos.KernelList(kernel=found)


def _kernel(name):
    return protos.KernelDef(op=name, device_type="CPU")
