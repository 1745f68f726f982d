"""tf.train.Server: a task of a cluster (Note [Servers], Note [Remote])."""

from typing import Any

from twinflow.base import errors
from twinflow.base.text import as_bytes
from twinflow.execute import servers
from twinflow.formats import protos
from twinflow.train.cluster import ClusterSpec

_KINDS = (
    "Could not convert `server_or_cluster_def` to a `tf.train.ServerDef` or "
    "`tf.train.ClusterSpec`."
)


class Server:
    """A task of a cluster: it owns the variables that are placed on it, and sessions of
    its target find those, whatever graph they run.

    The other tasks may be in this process or in others; those, and sessions of other
    processes, need grpcio: `pip install 'twinflow[cluster]'`. Whoever reaches the port
    may run any graph.

    Args:
        server_or_cluster_def: a ServerDef, or what ClusterSpec takes.
        job_name, task_index: which task it is; found where there is one choice.
        protocol: "grpc". config: a tf.ConfigProto:
            how many devices the task has. start: whether sessions find it at once.
    Raises:
        ValueError: the job or the task is to be said.
        tf.errors.OpError: there is no such job or task, or the port is taken.
    Example:
        server = tf.train.Server.create_local_server()
        v = tf.Variable(3., name="v")
        with tf.Session(server.target) as sess: sess.run(v.initializer)
        with tf.Session(server.target) as sess: sess.run(v)  # 3.0
    """

    def __init__(
        self, server_or_cluster_def: Any, job_name: str | None = None,
        task_index: int | None = None, protocol: str | None = None,
        config: Any = None, start: bool = True,
    ) -> None:  # fmt: skip
        self._server_def = found = _server_def(
            server_or_cluster_def, job_name, task_index, protocol, config
        )
        if found.protocol != "grpc":
            raise errors.NotFoundError(
                None,
                None,
                f"No server factory registered for the given ServerDef: {found}",
            )
        _check(found)
        tasks = {(j.name, i): a for j in found.cluster.job for i, a in j.tasks.items()}
        self._task = servers.Task(
            found.job_name, found.task_index, tasks, found.default_session_config
        )
        if start:
            self.start()

    def start(self) -> None:
        """Let sessions find this server."""
        self._task.start()

    def join(self) -> None:
        """Wait until the server ends, which it does with the process.

        Raises:
            tf.errors.UnimplementedError: a task of its cluster is in another process,
                and grpcio is not installed.
        """
        servers.wait_for(self._task)

    @property
    def server_def(self) -> Any:
        """The ServerDef."""
        return self._server_def

    @property
    def target(self) -> bytes:
        """What a Session takes to run with this server."""
        return as_bytes(f"grpc://localhost:{self._task.port}")

    @staticmethod
    def create_local_server(config: Any = None, start: bool = True) -> "Server":
        """A server that is a cluster of one task, /job:local/task:0.

        Args:
            config, start: see Server.
        """
        return Server(
            {"local": ["localhost:0"]}, protocol="grpc", config=config, start=start
        )


def _server_def(
    given: Any, job_name: str | None, task_index: int | None, protocol: str | None,
    config: Any,
) -> Any:  # fmt: skip
    """The ServerDef that a server's arguments mean."""
    found = protos.ServerDef()
    if isinstance(given, protos.ServerDef):
        found.CopyFrom(given)
    else:
        try:
            spec = ClusterSpec(given)
        except TypeError:
            raise TypeError(_KINDS) from None
        found.cluster.CopyFrom(spec.as_cluster_def())
        job_name = _only([j.name for j in found.cluster.job], job_name, "job_name")
        tasks = [i for j in found.cluster.job if j.name == job_name for i in j.tasks]
        task_index = _only(tasks, task_index, "task_index")
        protocol = protocol or "grpc"
    if job_name is not None:
        found.job_name = job_name
    if task_index is not None:
        found.task_index = task_index
    if protocol is not None:
        found.protocol = protocol
    if config is not None:
        found.default_session_config.MergeFrom(config)
    return found


def _only(choices: list, given: Any, what: str) -> Any:
    """What is given, or the only choice."""
    if given is None and len(choices) != 1:
        raise ValueError(f"Must specify an explicit `{what}`.")
    return choices[0] if given is None else given


def _check(found: Any) -> None:
    """Raise where the task of a ServerDef is not in its cluster."""
    job = next((j for j in found.cluster.job if j.name == found.job_name), None)
    if job is None:
        raise errors.InternalError(
            None, None, f'Job "{found.job_name}" was not defined in cluster'
        )
    if found.task_index not in job.tasks:
        raise errors.InvalidArgumentError(
            None, None,
            f'Task {found.task_index} was not defined in job "{found.job_name}"',
        )  # fmt: skip
