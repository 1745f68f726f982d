"""Devices for variables."""

import itertools
from typing import Any

from twinflow.base.devices import DeviceSpec


class VariableDeviceChooser:
    """A device for each variable: the tasks of a job in turn, or one device.

    Args:
        num_tasks: how many tasks the job has; 0 = no job.
        job_name: of the job. device_type: "CPU" or "GPU". device_index: of the device.
        replica: the number of the replica.
    Example:
        choose = tf.contrib.framework.VariableDeviceChooser(num_tasks=2)
        choose(None)  # '/job:ps/task:0/device:CPU:0'
    """

    def __init__(
        self, num_tasks: int = 0, job_name: str = "ps", device_type: str = "CPU",
        device_index: int = 0, replica: int | None = None,
    ) -> None:  # fmt: skip
        self._job_name = job_name if num_tasks else None
        self._device_type, self._device_index = device_type, device_index
        self._replica = replica
        self._tasks = itertools.cycle(range(num_tasks))

    def __call__(self, op: Any) -> str:
        spec = DeviceSpec(
            job=self._job_name, replica=self._replica, task=next(self._tasks, None),
            device_type=self._device_type, device_index=self._device_index,
        )  # fmt: skip
        return spec.to_string()
