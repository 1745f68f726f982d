"""tf.test.create_local_cluster: the servers of a small cluster."""

from typing import Any

from twinflow.execute.servers import free_ports
from twinflow.train.cluster import ClusterSpec
from twinflow.train.server import Server


def create_local_cluster(
    num_workers: int, num_ps: int, protocol: str = "grpc", worker_config: Any = None,
    ps_config: Any = None,
) -> tuple[list[Server], list[Server]]:  # fmt: skip
    """The servers of a cluster with the jobs "worker" and "ps", all in this process.

    Args:
        num_workers, num_ps: how many tasks they have. protocol: see tf.train.Server.
        worker_config, ps_config: the tf.ConfigProto of their servers.
    Returns:
        (the servers of the workers, those of the other job)
    Example:
        workers, servers = tf.test.create_local_cluster(num_workers=2, num_ps=1)
        with tf.device("/job:ps/task:0"): v = tf.Variable(1., name="shared_by_workers")
        with tf.Session(workers[0].target) as sess: sess.run(v.initializer)
        with tf.Session(workers[1].target) as sess: sess.run(v)  # 1.0
    """
    ports = iter(free_ports(num_workers + num_ps))
    jobs = {
        job: [f"localhost:{next(ports)}" for _ in range(n)]
        for job, n in (("worker", num_workers), ("ps", num_ps))
    }
    cluster = ClusterSpec(jobs)
    configs = {"worker": worker_config, "ps": ps_config}
    workers, others = (
        [Server(cluster, job, i, protocol, configs[job]) for i in range(len(jobs[job]))]
        for job in ("worker", "ps")
    )
    return workers, others
