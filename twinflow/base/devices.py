"""Device names, and the devices that are there.

Note [Devices]: a value lives on the CPU as an ndarray (EagerTensor), or on an
accelerator as a buffer of jax (eager.accelerator). Ops run where a device scope says,
else where their inputs are. jax is loaded only if a plugin for an accelerator is
installed, and not before somebody asks.
"""

import functools
import importlib.util
import os
from typing import Any, NamedTuple

from twinflow.base import accelerator_options
from twinflow.base.advice import advised
from twinflow.base.drawing import drawing_apart

HERE = "/job:localhost/replica:0/task:0"
CPU = f"{HERE}/device:CPU:0"


class DeviceSpec:
    """The parts of a device name, each of which may be missing.

    Args:
        job: the name of a job. replica, task: numbers.
        device_type: "CPU" or "GPU". device_index: its number; None = any.
    Example:
        spec = tf.DeviceSpec(job="ps", device_type="cpu", device_index=0)
        spec.to_string()  # "/job:ps/device:CPU:0"
    """

    def __init__(
        self, job: str | None = None, replica: Any = None, task: int | None = None,
        device_type: Any = None, device_index: Any = None,
    ) -> None:  # fmt: skip
        self.job = job
        self.replica = None if replica is None else int(replica)
        self.task = None if task is None else int(task)
        short = device_type in ("cpu", "gpu")
        self.device_type = device_type.upper() if short else device_type
        self.device_index = None if device_index is None else int(device_index)

    @staticmethod
    def from_string(spec: str) -> "DeviceSpec":
        """The DeviceSpec of a name such as "/job:ps/task:1/gpu:0".

        Raises:
            ValueError: the name has a part that is not known.
        """
        return DeviceSpec().parse_from_string(spec)

    def parse_from_string(self, spec: str) -> "DeviceSpec":
        """Take over the parts of a name; returns self."""
        DeviceSpec.__init__(self)
        for part in spec.split("/"):
            key, _, value = part.partition(":")
            kind = key.upper()
            if not part:
                continue
            if key == "job":
                self.job = value
            elif key in ("replica", "task"):
                setattr(self, key, int(value))
            elif kind in ("CPU", "GPU") and part.count(":") <= 1:
                self._set_device(kind, value, spec)
            elif key == "device" and part.count(":") == 2:
                kind, _, index = value.partition(":")
                self._set_device(kind, index, spec)
            else:
                raise advised(ValueError, f"Unknown attribute: '{key}' in '{spec}'")
        return self

    def _set_device(self, kind: str, index: str, spec: str) -> None:
        if self.device_type is not None:
            raise ValueError(f"Cannot specify multiple device types: {spec}")
        self.device_type = kind
        self.device_index = None if index in ("", "*") else int(index)

    def merge_from(self, dev: "DeviceSpec") -> None:
        """Take over every part that `dev` has."""
        for part in ("job", "replica", "task"):
            value = getattr(dev, part)
            if value is not None:
                setattr(self, part, value)
        if dev.device_type is not None:
            self.device_type = dev.device_type
        if dev.device_index is not None:
            self.device_index = dev.device_index

    def to_string(self) -> str:
        """The name, in full spelling."""
        out = "".join(
            f"/{part}:{value}"
            for part in ("job", "replica", "task")
            if (value := getattr(self, part)) is not None
        )
        if self.device_type is None:
            return out
        index = "*" if self.device_index is None else self.device_index
        return f"{out}/device:{self.device_type}:{index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceSpec) and self.to_string() == other.to_string()

    def __hash__(self) -> int:
        return hash(self.to_string())


def canonical(name: DeviceSpec | str) -> str:
    """A name (or DeviceSpec, or None) in full spelling."""
    if name is None:
        return ""
    spec = name if isinstance(name, DeviceSpec) else DeviceSpec.from_string(name)
    return spec.to_string()


def merged(outer: str, inner: str) -> str:
    """The name for a scope `inner` within a scope `outer`; both canonical."""
    spec = DeviceSpec.from_string(outer)
    spec.merge_from(DeviceSpec.from_string(inner))
    return spec.to_string()


def full(name: str) -> str:
    """A canonical name with what is missing: this process, and its first device."""
    spec = DeviceSpec.from_string(CPU)
    spec.merge_from(DeviceSpec.from_string(name))
    return spec.to_string()


@functools.cache
def accelerators() -> Any:
    """What runs ops on accelerators (lower.accelerator), or None without any."""
    if not (os.environ.get("TWINFLOW_FAKE_GPUS") or _has_plugin()):
        accelerator_options.say_missing_plugin()
        return None
    with drawing_apart():
        from twinflow.lower import accelerator
    try:
        return accelerator if accelerator.count() else None
    except RuntimeError as error:  # of jax: a driver is too old, for example
        accelerator_options.say_broken_plugin(error)
        return None


def _has_plugin() -> bool:
    return importlib.util.find_spec("jax_plugins") is not None


def num_gpus() -> int:
    """How many GPUs there are."""
    found = accelerators()
    return found.count() if found else 0


class _Cpus:
    """How many CPU devices eager mode has: names for one and the same processor."""

    count = 1


def set_num_cpus(count: int) -> None:
    """Give eager mode so many CPU devices, as `device_count` of a ConfigProto asks."""
    _Cpus.count = max(count, 1)


def list_devices() -> list[str]:
    """The names of all devices."""
    cpus = [f"{HERE}/device:CPU:{i}" for i in range(_Cpus.count)]
    return [*cpus, *map(name_of, range(num_gpus()))]


class DeviceFacts(NamedTuple):
    """What a device is: bytes of memory that programs may take, and a description."""

    memory_limit: int
    description: str


def facts_of(name: str) -> DeviceFacts:
    """The facts of a device by its name."""
    kind, _, index = name.rpartition("/")[2].rpartition(":")
    if "GPU" not in kind or int(index) >= num_gpus():
        return DeviceFacts(1 << 28, "")
    return DeviceFacts(*accelerators().facts(int(index)))


def name_of(index: Any) -> str:
    """The full name of an accelerator; None = the CPU."""
    return CPU if index is None else f"{HERE}/device:GPU:{index}"


def gpu_index(name: Any) -> Any:
    """The number of the GPU that a full name means; None for the CPU.

    Raises:
        LookupError: there is no such device.
    """
    if name == CPU:
        return None
    start, _, number = str(name).rpartition(":")
    if start == CPU[:-2] and number.isdecimal() and int(number) < _Cpus.count:
        return None
    for i in range(num_gpus()):
        if name == name_of(i):
            return i
    raise LookupError(f"{name} unknown device.")
