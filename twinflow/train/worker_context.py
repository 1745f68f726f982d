"""What a worker of run_distribute_coordinator knows of itself."""

import copy
import threading
from typing import Any

from twinflow.train.cluster import ClusterSpec
from twinflow.train.current_worker import (
    get_current_worker_context,
    set_current_worker_context,
)
from twinflow.train.monitored_session import (
    ChiefSessionCreator,
    SessionCreator,
    WorkerSessionCreator,
)


class TaskType:
    """The jobs that a cluster of workers may have."""

    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"
    CLIENT = "client"


class WorkerContext:
    """A block in which the sessions of this thread are those of one worker.

    Args:
        strategy: says `should_init`, `should_checkpoint` and `should_save_summary`.
        cluster_spec: the ClusterSpec, or None for a worker alone.
        task_type, task_id: which task it is; None: it works for all of them.
        session_config: the tf.ConfigProto of its sessions.
        rpc_layer: how targets begin, or "". worker_barrier: where workers meet.
    """

    def __init__(
        self, strategy: Any, cluster_spec: ClusterSpec | None, task_type: str | None,
        task_id: int | None, session_config: Any = None, rpc_layer: str = "grpc",
        worker_barrier: Any = None,
    ) -> None:  # fmt: skip
        self._strategy, self._cluster_spec = strategy, cluster_spec
        self._task_type, self._task_id = task_type, task_id
        self._session_config, self._rpc_layer = session_config, rpc_layer
        self._worker_barrier = worker_barrier

    def __enter__(self) -> None:
        if get_current_worker_context():
            raise ValueError(
                "You cannot run distribute coordinator in a `worker_fn`.\t"
                + self._described()
            )
        set_current_worker_context(self)

    def __exit__(self, *exc: Any) -> None:
        set_current_worker_context(None)

    def _described(self) -> str:
        if not self._cluster_spec:
            return "[local]"
        return (
            f"[cluster_spec: {self._cluster_spec!r}, task_type: {self._task_type!r}, "
            f"task_id: {self._task_id!r}]"
        )

    def wait_for_other_workers(self) -> None:
        """Wait until all workers are here.

        Raises:
            ValueError: they have no place to meet; see `has_barrier`.
        """
        if self._worker_barrier is None:
            raise ValueError(
                f"`worker_barrier is not set in the worker context.` \t"
                f"{self._described()}"
            )
        self._worker_barrier.wait()

    def session_creator(
        self, scaffold: Any = None, config: Any = None, checkpoint_dir: Any = None,
        checkpoint_filename_with_path: Any = None, max_wait_secs: float = 7200,
    ) -> SessionCreator:  # fmt: skip
        """What makes the sessions of this worker; see ChiefSessionCreator."""
        session_config = self._session_config
        if config:
            session_config = copy.deepcopy(config)
            if self._session_config is not None:
                session_config.MergeFrom(self._session_config)
        if self._strategy and not self._strategy.should_init:
            return WorkerSessionCreator(
                scaffold, self.master_target, session_config, max_wait_secs
            )
        return ChiefSessionCreator(
            scaffold, self.master_target, session_config, checkpoint_dir,
            checkpoint_filename_with_path,
        )  # fmt: skip

    # ------------------------------------------------------------------ looking
    @property
    def session_config(self) -> Any:
        """A copy of the ConfigProto of its sessions."""
        return copy.deepcopy(self._session_config)

    @property
    def has_barrier(self) -> bool:
        """Whether the workers can meet."""
        return self._worker_barrier is not None

    @property
    def distributed_mode(self) -> bool:
        """Whether others work on the same variables."""
        return bool(self._cluster_spec) and self._task_type != TaskType.EVALUATOR

    @property
    def cluster_spec(self) -> Any:
        """A copy of the ClusterSpec."""
        return copy.deepcopy(self._cluster_spec)

    @property
    def task_type(self) -> str | None:
        """The job of the task."""
        return self._task_type

    @property
    def task_id(self) -> int | None:
        """The number of the task."""
        return self._task_id

    @property
    def master_target(self) -> str:
        """The target of its sessions; "" where it works alone."""
        spec, job = self._cluster_spec, self._task_type
        if not spec:
            return ""
        if not job:  # one client for all
            job = TaskType.CHIEF if TaskType.CHIEF in spec.jobs else TaskType.WORKER
        prefix = f"{self._rpc_layer}://" if self._rpc_layer else ""
        return prefix + spec.job_tasks(job)[self._task_id or 0]

    @property
    def is_chief(self) -> bool:
        """Whether this is the chief, or works for itself."""
        spec, job = self._cluster_spec, self._task_type
        if not spec or job in (TaskType.CHIEF, TaskType.EVALUATOR, None):
            return True
        first = job == TaskType.WORKER and self._task_id == 0
        return first and TaskType.CHIEF not in spec.jobs

    @property
    def num_workers(self) -> int:
        """How many workers there are, the chief included; 0 without a cluster."""
        return num_workers(self._cluster_spec)

    @property
    def should_checkpoint(self) -> bool:
        """Whether this one saves checkpoints."""
        return self._strategy.should_checkpoint

    @property
    def should_save_summary(self) -> bool:
        """Whether this one saves summaries."""
        return self._strategy.should_save_summary


def num_workers(cluster_spec: ClusterSpec | None) -> int:
    """How many workers and chiefs a cluster has."""
    if not cluster_spec:
        return 0
    jobs = cluster_spec.as_dict()
    return sum(len(jobs.get(job, ())) for job in (TaskType.WORKER, TaskType.CHIEF))


Barrier = threading.Barrier  # where the workers of a client meet
