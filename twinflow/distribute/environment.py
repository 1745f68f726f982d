"""Which processes this program is one of, as its environment says."""

import json
import os
from typing import Any, NamedTuple

from twinflow.base import processes as base_processes
from twinflow.execute import processes

COORDINATOR, SIZE, RANK = (
    "TWINFLOW_COORDINATOR", "TWINFLOW_SIZE", "TWINFLOW_RANK",
)  # fmt: skip
_TRAINERS = ("chief", "master", "worker")


class Place(NamedTuple):
    """A process among others: where the first one is, how many there are, which."""

    address: str
    size: int
    rank: int


def place_now() -> Place | None:
    """The place that `twinflow launch` or TF_CONFIG gives this process, if any.

    Raises:
        ValueError: the environment does not fit together.
    """
    address = os.environ.get(COORDINATOR)
    if address:
        return Place(address, _number(SIZE), _number(RANK))
    config = json.loads(os.environ.get("TF_CONFIG") or "{}")
    task = config.get("task", {})
    return place_of(config.get("cluster", {}), task.get("type"), task.get("index"))


def place_of(cluster: Any, task_type: str | None, task_id: Any) -> Place | None:
    """The place of a task among those of a cluster that train in step.

    Args:
        cluster: a ClusterSpec, or {job: addresses}. task_type, task_id: the task.
    Returns:
        None where it is alone, does not train, or the cluster has parameter servers.
    Raises:
        ValueError: the cluster has no such task.
    """
    jobs = cluster.as_dict() if hasattr(cluster, "as_dict") else dict(cluster or {})
    if task_type not in _TRAINERS or jobs.get("ps"):
        return None
    if task_type not in jobs or int(task_id or 0) >= len(jobs[task_type]):
        raise ValueError(f"The cluster {jobs} has no task {task_id} {task_type!r}.")
    members = [(job, i) for job in _TRAINERS for i in range(len(jobs.get(job, ())))]
    if len(members) == 1:
        return None
    first_job, first = members[0]
    rank = members.index((task_type, int(task_id or 0)))
    return Place(jobs[first_job][first], len(members), rank)


def join(place: Place | None) -> Any:
    """Join the processes of a place; the group, or None for a process alone."""
    if place is None or place.size == 1:
        return base_processes.current()
    return processes.join(*place)


def _number(name: str) -> int:
    text = os.environ.get(name, "")
    if not text.isdigit():
        raise ValueError(
            f"The environment variable {name} must be a number beside {COORDINATOR}, "
            f"got {text!r}. `twinflow launch` sets them all."
        )
    return int(text)
