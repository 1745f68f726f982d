"""tf.train.replica_device_setter: the devices of variables and of what uses them."""

from collections.abc import Callable
from typing import Any

from twinflow.base import devices
from twinflow.base import logging as log
from twinflow.base.advice import advised
from twinflow.formats import protos
from twinflow.train.cluster import ClusterSpec

STANDARD_PS_OPS = (
    "Variable", "VariableV2", "AutoReloadVariable", "MutableHashTable",
    "MutableHashTableV2", "MutableHashTableOfTensors", "MutableHashTableOfTensorsV2",
    "MutableDenseHashTable", "MutableDenseHashTableV2", "VarHandleOp",
    "BoostedTreesEnsembleResourceHandleOp",
)  # fmt: skip


class RoundRobinStrategy:
    """Tasks in turn.

    Args:
        num_tasks: how many there are.
    """

    def __init__(self, num_tasks: int) -> None:
        self._num_tasks, self._next_task = num_tasks, 0

    def __call__(self, unused_op: Any) -> int:
        """The index of the next task."""
        found = self._next_task
        self._next_task = (found + 1) % self._num_tasks
        return found


class ReplicaDeviceChooser:
    """See replica_device_setter."""

    def __init__(
        self, ps_tasks: int, ps_device: Any, worker_device: Any, merge_devices: bool,
        ps_ops: Any, ps_strategy: Callable,
    ) -> None:  # fmt: skip
        self._ps_tasks, self._ps_strategy = ps_tasks, ps_strategy
        self._ps_device, self._worker_device = ps_device, worker_device
        self._merge_devices, self._ps_ops = merge_devices, ps_ops

    def device_function(self, op: Any) -> str:
        """The device of an operation."""
        if not self._merge_devices and op.device:
            return op.device
        current = devices.DeviceSpec.from_string(op.device or "")
        node = op if isinstance(op, protos.NodeDef) else op.node_def
        if self._ps_tasks and self._ps_device and node.op in self._ps_ops:
            ps = devices.DeviceSpec.from_string(self._ps_device)
            if ps.job and current.job in (None, ps.job):
                ps.task = self._ps_strategy(op)
            return devices.merged(ps.to_string(), current.to_string())
        worker = devices.DeviceSpec.from_string(self._worker_device or "")
        worker.merge_from(current)
        return worker.to_string()


def replica_device_setter(
    ps_tasks: int = 0, ps_device: Any = "/job:ps", worker_device: Any = "/job:worker",
    merge_devices: bool = True, cluster: Any = None, ps_ops: Any = None,
    ps_strategy: Any = None,
) -> Any:  # fmt: skip
    """A function for tf.device that puts variables on parameter servers.

    Args:
        ps_tasks: the number of parameter servers; without any, None is returned.
        ps_device, worker_device: the devices of variables and of everything else.
        merge_devices: fill what an inner tf.device leaves open; else leave it alone.
        cluster: a ClusterSpec, ClusterDef or dict that says `ps_tasks`.
        ps_ops: the types of ops that are variables.
        ps_strategy: a function from an operation to the index of a server; in turn.
    Returns:
        A function from an operation to the name of its device.
    Raises:
        TypeError: `cluster` or `ps_strategy` is of a wrong kind.
    Example:
        cluster = {"ps": ["ps0:2222", "ps1:2222"], "worker": ["worker0:2222"]}
        with tf.Graph().as_default():
            with tf.device(tf.train.replica_device_setter(cluster=cluster)):
                found = [tf.Variable(1.).device, tf.Variable(2.).device]
        found  # ["/job:ps/task:0", "/job:ps/task:1"]
    """
    if cluster is not None:
        jobs = ClusterSpec(cluster).as_dict()
        job = devices.DeviceSpec.from_string(ps_device).job
        if job not in jobs or not jobs[job]:
            return None
        ps_tasks = len(jobs[job])
    if ps_tasks == 0:
        return None
    if ps_strategy is None:
        ps_strategy = RoundRobinStrategy(ps_tasks)
    if not callable(ps_strategy):
        raise advised(TypeError, "ps_strategy must be callable")
    if ps_ops is None:
        ps_ops = list(STANDARD_PS_OPS)
    if not merge_devices:
        log.warning(
            "DEPRECATION: It is recommended to set merge_devices=true in "
            "replica_device_setter"
        )
    chooser = ReplicaDeviceChooser(
        ps_tasks, ps_device, worker_device, merge_devices, ps_ops, ps_strategy
    )
    return chooser.device_function
