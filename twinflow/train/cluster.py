"""tf.train.ClusterSpec: which processes a job has, and where; data, without servers."""

from typing import Any

from twinflow.base.text import as_str_any
from twinflow.formats import protos

_WRONG = (
    "`cluster` must be a dictionary mapping one or more job names to lists of network "
    "addresses, or a `ClusterDef` protocol buffer"
)


class ClusterSpec:
    """Jobs, their tasks and the addresses of these.

    Args:
        cluster: a dict from the name of a job to a list of addresses, or to a dict from
            indices to addresses; a ClusterDef; or a ClusterSpec.
    Raises:
        TypeError: it is something else.
    Example:
        spec = tf.train.ClusterSpec({"ps": ["ps0:2222"], "worker": {1: "worker1:2222"}})
        spec.jobs  # ["ps", "worker"]
        spec.job_tasks("worker")  # [None, "worker1:2222"]
    """

    def __init__(self, cluster: Any) -> None:
        if isinstance(cluster, ClusterSpec):
            cluster = cluster.as_cluster_def()
        if isinstance(cluster, protos.ClusterDef):
            self._tasks = {job.name: dict(job.tasks) for job in cluster.job}
        elif isinstance(cluster, dict):
            self._tasks = {job: _indexed(job, t) for job, t in cluster.items()}
        else:
            raise TypeError(_WRONG)
        self._def = self._made()

    def _made(self) -> Any:
        """The ClusterDef; where an index or address is of a wrong kind it refuses."""
        found = protos.ClusterDef()
        for job, tasks in sorted(self._tasks.items()):
            one = found.job.add(name=_checked(job, "Job name"))
            for index, address in sorted(tasks.items()):
                one.tasks[index] = _checked(address, "Task address")
        return found

    def __bool__(self) -> bool:
        return bool(self._tasks)

    __nonzero__ = __bool__

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, ClusterSpec | protos.ClusterDef | dict)
        return same and self._def == ClusterSpec(other)._def

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        jobs = ", ".join(f"{job!r}: {t!r}" for job, t in sorted(self.as_dict().items()))
        return f"ClusterSpec({{{jobs}}})"

    def as_dict(self) -> dict[Any, Any]:
        """{job: list of addresses, or {index: address} where indices are missing}."""
        return {
            job: self.job_tasks(job)
            if set(tasks) == set(range(len(tasks)))
            else dict(tasks)
            for job, tasks in self._tasks.items()
        }

    def as_cluster_def(self) -> Any:
        """The ClusterDef."""
        return self._def

    @property
    def jobs(self) -> list[Any]:
        """The names of the jobs."""
        return list(self._tasks)

    def _of(self, job_name: str) -> dict:
        if job_name not in self._tasks:
            raise ValueError(f"No such job in cluster: {job_name!r}")
        return self._tasks[job_name]

    def num_tasks(self, job_name: str) -> int:
        """How many tasks a job has.

        Raises:
            ValueError: there is no such job.
        """
        return len(self._of(job_name))

    def task_indices(self, job_name: str) -> list[Any]:
        """The indices of the tasks of a job, in order.

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
        """The addresses by index; None where an index is missing.

        Raises:
            ValueError: there is no such job.
        """
        tasks = self._of(job_name)
        return [tasks.get(i) for i in range(max(tasks, default=-1) + 1)]


def _indexed(job: Any, tasks: Any) -> dict:
    if isinstance(tasks, list | tuple):
        return dict(enumerate(tasks))
    if isinstance(tasks, dict):
        return dict(tasks)
    raise TypeError(
        f"The tasks for job {job!r} must be a list or a dictionary from integers to "
        "strings."
    )


def _checked(text: Any, what: str) -> str:
    if not isinstance(text, str | bytes):
        raise TypeError(f"{what} {text!r} must be bytes or unicode")
    return as_str_any(text)
