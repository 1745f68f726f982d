"""tf.train.ClusterSpec: the tasks of a cluster and their addresses, as data."""

from typing import Any

from twinflow.base.text import as_str
from twinflow.formats.protos import ClusterDef


class ClusterSpec:
    """The addresses of the tasks of each job; nothing is started.

    Args:
        cluster: dict from jobs to lists, or dicts from numbers, of addresses; a
            ClusterDef or a ClusterSpec.
    Raises:
        TypeError: it is something else, or an address is no string.
    Example:
        cluster = tf.train.ClusterSpec({"worker": ["a:1", "b:2"], "ps": ["c:3"]})
        cluster.num_tasks("worker")  # 2
        cluster.task_address("ps", 0)  # 'c:3'
    """

    def __init__(self, cluster: Any) -> None:
        if isinstance(cluster, ClusterSpec):
            cluster = cluster.as_cluster_def()
        if isinstance(cluster, ClusterDef):
            self._jobs = {job.name: dict(job.tasks) for job in cluster.job}
        elif isinstance(cluster, dict):
            self._jobs = {
                _text(k, f"Job name {k}"): _tasks(k, v) for k, v in cluster.items()
            }
        else:
            raise TypeError(
                "`cluster` must be a dictionary mapping one or more job names to lists "
                "of network addresses, or a `ClusterDef` protocol buffer"
            )

    def __bool__(self) -> bool:
        return bool(self._jobs)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, ClusterSpec) and self._jobs == other._jobs

    def __ne__(self, other: Any) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]  # it is compared by what it holds

    def __str__(self) -> str:
        parts = ", ".join(f"{k!r}: {v!r}" for k, v in sorted(self.as_dict().items()))
        return f"ClusterSpec({{{parts}}})"

    def as_dict(self) -> dict[str, Any]:
        """Dict from jobs to lists of addresses, or to dicts where some are missing."""
        return {
            name: [tasks[i] for i in sorted(tasks)]
            if sorted(tasks) == list(range(len(tasks)))
            else dict(tasks)
            for name, tasks in self._jobs.items()
        }

    def as_cluster_def(self) -> Any:
        """The same as a ClusterDef."""
        found = ClusterDef()
        for name in sorted(self._jobs):
            job = found.job.add(name=name)
            for index, address in sorted(self._jobs[name].items()):
                job.tasks[index] = address
        return found

    @property
    def jobs(self) -> list[str]:
        """The names of the jobs."""
        return list(self._jobs)

    def _of(self, job_name):
        if job_name not in self._jobs:
            raise ValueError(f"No such job in cluster: {job_name!r}")
        return self._jobs[job_name]

    def num_tasks(self, job_name: str) -> int:
        """How many tasks a job has.

        Raises:
            ValueError: there is no such job.
        """
        return len(self._of(job_name))

    def task_indices(self, job_name: str) -> list[int]:
        """The numbers of the tasks of a job.

        Raises:
            ValueError: there is no such job.
        """
        return sorted(self._of(job_name))

    def task_address(self, job_name: str, task_index: int) -> str:
        """The address of a task.

        Raises:
            ValueError: there is no such job or task.
        """
        tasks = self._of(job_name)
        if task_index not in tasks:
            raise ValueError(f"No task with index {task_index!r} in job {job_name!r}")
        return tasks[task_index]

    def job_tasks(self, job_name: str) -> list[Any]:
        """The addresses of the tasks of a job, None where there is none.

        Raises:
            ValueError: there is no such job.
        """
        tasks = self._of(job_name)
        return [tasks.get(i) for i in range(max(tasks) + 1)] if tasks else []


def _tasks(name, given):
    """{number: address} of a job."""
    if isinstance(given, list | tuple):
        given = dict(enumerate(given))
    if not isinstance(given, dict):
        raise TypeError(
            f"The tasks for job {name!r} must be a list or a dictionary from integers "
            "to strings."
        )
    for index in given:
        if not isinstance(index, int):
            raise TypeError(
                f"{index!r} has type {type(index).__name__}, but expected one of: int"
            )
    return {
        index: _text(address, f"Task address {address}")
        for index, address in given.items()
    }


def _text(value, what):
    """A string; raises TypeError for what is none."""
    if not isinstance(value, str | bytes):
        raise TypeError(f"{what} must be bytes or unicode")
    return as_str(value)
