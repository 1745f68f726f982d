"""Clusters of workers: as a ClusterSpec, and who of them is the chief."""

from typing import Any

from twinflow.formats import protos
from twinflow.train.cluster import ClusterSpec


def normalize_cluster_spec(cluster_spec: Any) -> ClusterSpec:
    """A cluster as a ClusterSpec.

    Args:
        cluster_spec: a dict, a ClusterDef or a ClusterSpec.
    Raises:
        ValueError: it is something else.
    """
    if isinstance(cluster_spec, dict | protos.ClusterDef):
        return ClusterSpec(cluster_spec)
    if not isinstance(cluster_spec, ClusterSpec):
        raise ValueError(
            "`cluster_spec' should be dict or a `tf.train.ClusterSpec` or a "
            "`tf.train.ClusterDef` object"
        )
    return cluster_spec


def is_chief(cluster_spec: Any, task_type: str | None, task_id: int) -> bool:
    """Whether a task is the chief: that of the job "chief", else the first worker.

    Args:
        cluster_spec: see `normalize_cluster_spec`. task_type, task_id: the task.
    Raises:
        ValueError: the cluster has no such task.
    """
    jobs = normalize_cluster_spec(cluster_spec).as_dict()
    if task_type not in jobs:
        raise ValueError(f'The task_type "{task_type}" is not in the `cluster_spec`.')
    if task_id >= len(jobs[task_type]):
        raise ValueError(
            f"The `task_id` {task_id} exceeds the maximum id of {task_type}."
        )
    if task_type == "chief":
        return True
    return "chief" not in jobs and task_type == "worker" and task_id == 0
