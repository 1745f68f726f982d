"""The mesh of a TPU system, and which of its cores compute which replica.

These are descriptions: no TPU is here, and nothing runs on one.
"""

import itertools
from typing import Any

import numpy as np

from twinflow.base.annotations import Array
from twinflow.formats.proto_schema import messages

_SCHEMA = """
TopologyProto: mesh_shape=1 *int32, num_tasks=2 int32, num_tpu_devices_per_task=3 int32,
  device_coordinates=4 *int32
"""


class Topology:
    """The mesh of the cores of a TPU system.

    Args:
        serialized: a TopologyProto as bytes, in place of the others.
        mesh_shape: three sizes.
        device_coordinates: int32[tasks, devices of a task, 3], the place of each.
    Raises:
        ValueError: the sizes are not three above 0, or the coordinates do not fit.
    Example:
        places = np.array([[[0, 0, 0], [0, 0, 1]]], np.int32)
        tf.contrib.tpu.Topology(None, [1, 1, 2], places).num_tpus_per_task  # 2
    """

    def __init__(
        self, serialized: bytes | None = None, mesh_shape: Any = None,
        device_coordinates: Any = None,
    ) -> None:  # fmt: skip
        if serialized:
            known = messages(_SCHEMA, "tensorflow.tpu")["TopologyProto"]
            proto = known.FromString(serialized)
            sizes = proto.num_tasks, proto.num_tpu_devices_per_task, -1
            mesh_shape = list(proto.mesh_shape)
            given = np.array(proto.device_coordinates, np.int32)
            device_coordinates = given.reshape(sizes)
        self._shape = np.asarray(mesh_shape, np.int32)
        self._places = np.asarray(device_coordinates, np.int32)
        if self._shape.shape != (3,) or (self._shape < 1).any():
            raise ValueError(
                "`mesh_shape` must be a sequence of 3 positive entries; got "
                f"{self._shape}"
            )
        if self._places.ndim != 3 or self._places.shape[2] != 3:
            raise ValueError(
                "`device_coordinates` must be a rank 3 int32 array with minor "
                "dimension equal to the mesh shape rank"
            )

    @property
    def mesh_shape(self) -> Array:
        """int32[3]."""
        return self._shape

    @property
    def mesh_rank(self) -> int:
        """3."""
        return len(self._shape)

    @property
    def device_coordinates(self) -> Array:
        """int32[tasks, devices of a task, 3]."""
        return self._places

    @property
    def num_tasks(self) -> int:
        """How many tasks there are."""
        return self._places.shape[0]

    @property
    def num_tpus_per_task(self) -> int:
        """How many devices each task has."""
        return self._places.shape[1]

    def serialized(self) -> bytes:
        """The TopologyProto as bytes."""
        return messages(_SCHEMA, "tensorflow.tpu")["TopologyProto"](
            mesh_shape=self._shape.tolist(), num_tasks=self.num_tasks,
            num_tpu_devices_per_task=self.num_tpus_per_task,
            device_coordinates=self._places.ravel().tolist(),
        ).SerializeToString()  # fmt: skip


class DeviceAssignment:
    """Which core computes which part of which replica.

    Args:
        topology: the Topology. core_assignment: int32[replicas, cores of each, 3].
    Raises:
        ValueError: `topology` is none, or a core has no device.
    """

    def __init__(self, topology: Topology, core_assignment: Any) -> None:
        if not isinstance(topology, Topology):
            raise ValueError(
                f"topology must be a Topology object, got {type(topology)}"
            )
        self._topology = topology
        self._cores = np.asarray(core_assignment, np.int32)
        found = topology.device_coordinates
        tasks = itertools.product(range(found.shape[0]), range(found.shape[1]))
        self._devices = {tuple(found[task]): task for task in tasks}
        for place in self._cores.reshape(-1, 3):
            if tuple(place) not in self._devices:
                raise ValueError(f"There is no device at {place}.")

    @property
    def topology(self) -> Topology:
        """The Topology."""
        return self._topology

    @property
    def core_assignment(self) -> Array:
        """int32[replicas, cores of each, 3]."""
        return self._cores

    @property
    def num_cores_per_replica(self) -> int:
        """How many cores compute a replica."""
        return self._cores.shape[1]

    @property
    def num_replicas(self) -> int:
        """How many replicas there are."""
        return self._cores.shape[0]

    def _device(self, replica: int, core: int) -> tuple[int, int]:
        return self._devices[tuple(self._cores[replica, core])]

    def lookup_replicas(self, task_id: int, logical_core: int) -> list[int]:
        """The replicas whose core of a number belongs to a task.

        Raises:
            ValueError: there are none.
        """
        found = [
            r
            for r in range(self.num_replicas)
            if self._device(r, logical_core)[0] == task_id
        ]
        if not found:
            raise ValueError(
                f"Can not find any replica in task: {task_id} contains logical_core: "
                f"{logical_core} "
            )
        return found

    def tpu_ordinal(self, replica: int = 0, logical_core: int = 0) -> int:
        """The number of the device within its task."""
        return self._device(replica, logical_core)[1]

    def host_device(
        self, replica: int = 0, logical_core: int = 0, job: str | None = None
    ) -> str:
        """The name of the CPU beside it."""
        return self._named(replica, logical_core, job, "CPU:0")

    def tpu_device(
        self, replica: int = 0, logical_core: int = 0, job: str | None = None
    ) -> str:
        """The name of the device."""
        number = self.tpu_ordinal(replica, logical_core)
        return self._named(replica, logical_core, job, f"TPU:{number}")

    def _named(self, replica: int, core: int, job: str | None, last: str) -> str:
        start = f"/job:{job}" if job else ""
        return f"{start}/task:{self._device(replica, core)[0]}/device:{last}"


def device_assignment(
    topology: Any, computation_shape: Any = None, computation_stride: Any = None,
    num_replicas: int = 1,
) -> DeviceAssignment:  # fmt: skip
    """Replicas put on the cores of a mesh, one beside the other.

    Args:
        topology: a Topology, or one as bytes.
        computation_shape: int[3], the cores of a replica; one by default.
        computation_stride: int[3], how far these are apart; 1 by default.
        num_replicas: how many.
    Raises:
        ValueError: they do not fit, or `topology` is none.
    Example:
        places = np.array([[[0, 0, 0], [0, 0, 1]]], np.int32)
        mesh = tf.contrib.tpu.Topology(None, [1, 1, 2], places)
        found = tf.contrib.tpu.device_assignment(mesh, num_replicas=2)
        found.tpu_device(replica=1)  # "/task:0/device:TPU:1"
    """
    if isinstance(topology, bytes):
        topology = Topology(serialized=topology)
    if not isinstance(topology, Topology):
        raise ValueError(f"`topology` is not a Topology object; got {type(topology)}")
    ones, mesh = np.ones(3, np.int32), topology.mesh_shape
    shape = ones if computation_shape is None else np.asarray(computation_shape)
    stride = ones if computation_stride is None else np.asarray(computation_stride)
    footprint = shape * stride
    if (footprint > mesh).any():
        raise ValueError(
            f"computation footprint {footprint} does not fit in TPU topology shape "
            f"{mesh}"
        )
    blocks = mesh // footprint
    most = int(np.prod(blocks * stride))
    if num_replicas > most:
        raise ValueError(
            f"requested {num_replicas} replicas but only {most} replicas with shape "
            f"{shape} and computation_stride {stride} fit in a TPU mesh of shape {mesh}"
        )
    starts = [
        np.add(np.multiply(block, footprint), offset)
        for block in np.ndindex(*blocks)
        for offset in np.ndindex(*stride)
    ][:num_replicas]
    parts = [np.multiply(part, stride) for part in np.ndindex(*shape)]
    return DeviceAssignment(topology, [[s + p for p in parts] for s in starts])
