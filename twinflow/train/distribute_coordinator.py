"""run_distribute_coordinator: a function of a strategy, run as workers of a cluster.

The servers are those of this process (Note [Servers] in execute.servers); what the
function is given as `strategy` is any object with the attributes `between_graph`,
`should_init`, `should_checkpoint`, `should_save_summary` and the method `configure`.
"""

import copy
import json
import os
import threading
from collections.abc import Callable
from typing import Any

from twinflow.base import logging
from twinflow.formats import protos
from twinflow.train.cluster import ClusterSpec
from twinflow.train.multi_worker import normalize_cluster_spec
from twinflow.train.server import Server
from twinflow.train.worker_context import Barrier, TaskType, WorkerContext, num_workers

_thread_local = threading.local()


class CoordinatorMode:
    """Who runs the functions: one client for all, or each worker its own."""

    STANDALONE_CLIENT = "standalone_client"
    INDEPENDENT_WORKER = "independent_worker"


def run_distribute_coordinator(
    worker_fn: Callable, strategy: Any, eval_fn: Callable | None = None,
    eval_strategy: Any = None, mode: str = CoordinatorMode.STANDALONE_CLIENT,
    cluster_spec: Any = None, task_type: str | None = None,
    task_id: int | None = None, session_config: Any = None, rpc_layer: str = "grpc",
) -> Any:  # fmt: skip
    """Call a function for each worker of a cluster, or once where there is none.

    Args:
        worker_fn: of the strategy; in it, MonitoredTrainingSession knows the worker.
        strategy: see the module. eval_fn, eval_strategy: for the job "evaluator".
        mode: "standalone_client": this call runs all workers, each in a thread if the
            strategy is `between_graph`; "independent_worker": it runs one of them.
        cluster_spec, task_type, task_id: the cluster, and which task this is; those of
            the environment variable TF_CONFIG by default.
        session_config: a tf.ConfigProto. rpc_layer: how targets begin.
    Returns:
        What `worker_fn` returns, where one client calls it once.
    Raises:
        ValueError: there is no such mode or task.
    """
    environment = json.loads(os.environ.get("TF_CONFIG", "{}"))
    if not cluster_spec:
        cluster_spec = environment.get("cluster", {})
        task = environment.get("task", {})
        if task:
            task_type = task.get("type", task_type)
            task_id = int(task.get("index", task_id))
    rpc_layer = environment.get("rpc_layer", rpc_layer)
    session_config = session_config or protos.ConfigProto(allow_soft_placement=True)
    if not cluster_spec:
        logging.info("Running local Distribute Coordinator.")
        _run_alone(
            worker_fn, strategy, eval_fn, eval_strategy, session_config, rpc_layer
        )
        return None
    spec = normalize_cluster_spec(cluster_spec)
    logging.info(
        "Running Distribute Coordinator with mode = %r, cluster_spec = %r, task_type = "
        "%r, task_id = %r, rpc_layer = %r",
        mode, spec.as_dict(), task_type, task_id, rpc_layer,
    )  # fmt: skip
    functions = worker_fn, strategy, eval_fn or worker_fn, eval_strategy or strategy
    rest = spec, session_config, rpc_layer
    if mode == CoordinatorMode.INDEPENDENT_WORKER:
        _run_independent(*functions, *rest, task_type, task_id)
        return None
    if mode != CoordinatorMode.STANDALONE_CLIENT:
        raise ValueError(f"Unexpected coordinator mode: {mode!r}")
    if task_type in (TaskType.CLIENT, None):
        if strategy.between_graph:
            return _run_between_graph_client(*functions, *rest)
        return _run_in_graph_client(*functions, *rest)
    _configured_server(strategy, eval_strategy, *rest, task_type, task_id).join()
    return None


def _run_alone(worker_fn, strategy, eval_fn, eval_strategy, session_config, rpc_layer):
    """Without a cluster: one after the other."""
    nobody = None, None, None
    _run_single_worker(worker_fn, strategy, *nobody, session_config, rpc_layer)
    if eval_fn:
        _run_single_worker(eval_fn, eval_strategy, *nobody, session_config, rpc_layer)
    else:
        logging.warning("Skipped evaluation since `eval_fn` is not passed in.")


def _run_independent(
    worker_fn, strategy, eval_fn, eval_strategy, cluster_spec, session_config,
    rpc_layer, task_type, task_id,
):  # fmt: skip
    """Start the server of one task, and do what this task is to do."""
    rest = session_config, rpc_layer
    server = _configured_server(
        strategy, eval_strategy, cluster_spec, *rest, task_type, task_id
    )
    if task_type == TaskType.EVALUATOR:
        _run_single_worker(
            eval_fn, eval_strategy, cluster_spec, task_type, task_id, *rest
        )
    elif task_type not in (TaskType.CHIEF, TaskType.WORKER):
        if task_type != TaskType.PS:
            raise ValueError(f"Unexpected task_type: {task_type!r}")
        server.join()
    elif strategy.between_graph:
        _run_single_worker(worker_fn, strategy, cluster_spec, task_type, task_id, *rest)
    elif WorkerContext(strategy, cluster_spec, task_type, task_id).is_chief:
        _run_single_worker(worker_fn, strategy, cluster_spec, None, None, *rest)
    else:
        server.join()


# ---------------------------------------------------------------------- one client
def _run_single_worker(
    worker_fn, strategy, cluster_spec, task_type, task_id, session_config,
    rpc_layer="", worker_barrier=None,
):  # fmt: skip
    """Call a function as one worker; with copies of what it may change."""
    session_config, strategy = copy.deepcopy(session_config), copy.deepcopy(strategy)
    if task_type != TaskType.EVALUATOR:
        strategy.configure(session_config, cluster_spec, task_type, task_id)
    elif strategy:
        strategy.configure(session_config)
    context = WorkerContext(
        strategy, cluster_spec, task_type, task_id, session_config, rpc_layer,
        worker_barrier,
    )  # fmt: skip
    with context:
        return worker_fn(strategy)


def _started(*args, **kwargs):
    thread = threading.Thread(target=_run_single_worker, args=args, kwargs=kwargs)
    thread.start()
    return thread


def _run_between_graph_client(
    worker_fn, strategy, eval_fn, eval_strategy, cluster_spec, session_config, rpc_layer
):
    """A thread for each worker, and one for the evaluator, whom nobody waits for."""
    rest = session_config, rpc_layer
    if TaskType.EVALUATOR in cluster_spec.jobs:
        _started(eval_fn, eval_strategy, None, TaskType.EVALUATOR, 0, *rest)
    barrier = Barrier(num_workers(cluster_spec))
    threads = [
        _started(worker_fn, strategy, cluster_spec, job, i, *rest, barrier)
        for job in (TaskType.CHIEF, TaskType.WORKER)
        for i in range(len(cluster_spec.as_dict().get(job, ())))
    ]
    for thread in threads:
        thread.join()


def _run_in_graph_client(
    worker_fn, strategy, eval_fn, eval_strategy, cluster_spec, session_config, rpc_layer
):
    """One call for all workers, and a thread for the evaluator."""
    rest, evaluator = (session_config, rpc_layer), None
    if TaskType.EVALUATOR in cluster_spec.jobs:
        evaluator = _started(eval_fn, eval_strategy, None, TaskType.EVALUATOR, 0, *rest)
    found = _run_single_worker(worker_fn, strategy, cluster_spec, None, None, *rest)
    if evaluator is not None:
        evaluator.join()
    return found


# ---------------------------------------------------------------------- servers
def _configured_server(
    strategy, eval_strategy, cluster_spec, session_config, rpc_layer, task_type, task_id
):
    _configure_session_config_for_std_servers(
        strategy, eval_strategy, session_config, cluster_spec, task_type, task_id
    )
    return _run_std_server(
        cluster_spec=cluster_spec, task_type=task_type, task_id=task_id,
        session_config=session_config, rpc_layer=rpc_layer,
    )  # fmt: skip


def _configure_session_config_for_std_servers(
    strategy, eval_strategy, session_config, cluster_spec, task_type, task_id
):
    """Let a strategy change the ConfigProto of a server, but for what sessions see."""
    if task_type != TaskType.EVALUATOR:
        copy.deepcopy(strategy).configure(
            session_config=session_config, cluster_spec=cluster_spec,
            task_type=task_type, task_id=task_id,
        )  # fmt: skip
    elif eval_strategy:
        eval_strategy.configure(session_config=session_config)
    del session_config.device_filters[:]


def _run_std_server(
    cluster_spec=None, task_type=None, task_id=None, session_config=None,
    rpc_layer=None, environment=None,
):  # fmt: skip
    """The server of a task: started once in each thread."""
    asked = cluster_spec, task_type, task_id, repr(session_config), rpc_layer
    if getattr(_thread_local, "server", None) is not None:
        if _thread_local.asked != asked:
            raise ValueError(
                f"This thread runs the server of {_thread_local.asked[1:3]}, and "
                f"cannot be {asked[1:3]} as well"
            )
        return _thread_local.server
    logging.info("Starting standard TensorFlow server of %r %r", task_type, task_id)
    spec = _split_cluster_for_evaluator(cluster_spec, task_type)
    _thread_local.server = Server(
        spec, job_name=task_type, task_index=task_id, config=session_config,
        protocol=rpc_layer,
    )  # fmt: skip
    _thread_local.asked = asked
    return _thread_local.server


def _split_cluster_for_evaluator(cluster_spec, task_type):
    """The part of a cluster that works together: the evaluator, or the others."""
    jobs = normalize_cluster_spec(cluster_spec).as_dict()
    mine = task_type == TaskType.EVALUATOR
    return ClusterSpec({j: t for j, t in jobs.items() if (j == task_type) or (not mine
                        and j != TaskType.EVALUATOR)})  # fmt: skip


def run_standard_tensorflow_server(session_config: Any = None) -> Server:
    """Start the server that the environment variable TF_CONFIG describes.

    Args:
        session_config: its tf.ConfigProto.
    Returns:
        The tf.train.Server.
    Raises:
        ValueError: TF_CONFIG does not say which.
    """
    found = json.loads(os.environ.get("TF_CONFIG", "{}"))
    for part in ("cluster", "task"):
        if part not in found:
            raise ValueError(f'"{part}" is not found in TF_CONFIG.')
    task = found["task"]
    if "type" not in task:
        raise ValueError('"task_type" is not found in the `task` part of TF_CONFIG.')
    spec = normalize_cluster_spec(found["cluster"])
    leader = next((j for j in ("chief", "worker") if j in spec.jobs), None)
    if leader is None:
        raise ValueError(
            "You must have `chief` or `worker` jobs in the `cluster_spec`."
        )
    session_config = session_config or protos.ConfigProto()
    session_config.experimental.collective_group_leader = (
        f"/job:{leader}/replica:0/task:0"
    )
    server = _run_std_server(
        cluster_spec=spec, task_type=task["type"], task_id=int(task.get("index", 0)),
        session_config=session_config, rpc_layer=found.get("rpc_layer", "grpc"),
    )  # fmt: skip
    server.start()
    return server
