"""TF_CONFIG: what the environment says of a cluster and of the task at hand."""

import json
import os

from twinflow.formats.protos import ConfigProto, RewriterConfig
from twinflow.train.cluster import ClusterSpec

TF_CONFIG, CLUSTER, TASK, TYPE, INDEX = "TF_CONFIG", "cluster", "task", "type", "index"
MODEL_DIR, SERVICE, ENVIRONMENT, GOOGLE = (
    "model_dir",
    "service",
    "environment",
    "google",
)
MASTER_KEY, EVAL_MASTER_KEY = "session_master", "eval_session_master"


class TaskType:
    """What a task of a cluster does."""

    MASTER = "master"
    PS = "ps"
    WORKER = "worker"
    CHIEF = "chief"
    EVALUATOR = "evaluator"


def read_tf_config():
    """The dict of the environment variable TF_CONFIG."""
    return json.loads(os.environ.get("TF_CONFIG") or "{}")


def with_chief(tf_config):
    """TF_CONFIG of workers alone, with the first of them as the chief."""
    cluster, task = tf_config.get(CLUSTER) or {}, dict(tf_config.get(TASK) or {})
    workers = list(cluster.get(TaskType.WORKER, ()))
    if not workers or {TaskType.CHIEF, TaskType.MASTER, TaskType.PS} & set(cluster):
        return tf_config
    rest = {TaskType.WORKER: workers[1:]} if workers[1:] else {}
    others = {job: t for job, t in cluster.items() if job != TaskType.WORKER}
    if task.get(TYPE) == TaskType.WORKER:
        index = int(task.get(INDEX, 0))
        job = TaskType.WORKER if index else TaskType.CHIEF
        task.update({TYPE: job, INDEX: max(index - 1, 0)})
    cluster = {TaskType.CHIEF: workers[:1], **rest, **others}
    return {**tf_config, CLUSTER: cluster, TASK: task}


def settings_of(tf_config):
    """Dict of what a RunConfig has of its cluster and task.

    Raises:
        ValueError, TypeError: TF_CONFIG does not fit together.
    """
    cluster = ClusterSpec(tf_config.get("cluster", {}))
    found = {"service": _service(tf_config.get(SERVICE)), "cluster_spec": cluster}
    if TaskType.MASTER in cluster.jobs:
        return {**found, **_with_master(tf_config, cluster)}
    if cluster and TaskType.CHIEF not in cluster.jobs:
        raise ValueError(
            'If "cluster" is set in TF_CONFIG, it must have one "chief" node.'
        )
    if not cluster:
        return {**found, **_alone(tf_config)}
    task_type, task_id = _task(cluster, tf_config.get(TASK, {}), TaskType.CHIEF)
    found.update(
        task_type=task_type, task_id=task_id,
        evaluation_master=_evaluation_master(task_type, tf_config),
    )  # fmt: skip
    if task_type == TaskType.EVALUATOR:
        return {
            **found, "cluster_spec": ClusterSpec({}), "master": "", "is_chief": False,
            "num_ps_replicas": 0, "num_worker_replicas": 0,
            "global_id_in_cluster": None,
        }  # fmt: skip
    return {**found, **_in_cluster(tf_config, cluster, task_type, task_id, "chief")}


def _alone(tf_config):
    """Of one process without a cluster."""
    task = tf_config.get(TASK, {})
    task_type = task.get("type", TaskType.WORKER)
    if task_type != TaskType.WORKER:
        raise ValueError(
            'If "cluster" is not set in TF_CONFIG, task type must be WORKER.'
        )
    if int(task.get("index", 0)) != 0:
        raise ValueError('If "cluster" is not set in TF_CONFIG, task index must be 0.')
    return {
        "task_type": task_type, "task_id": 0, "global_id_in_cluster": 0,
        "master": tf_config.get(MASTER_KEY, ""),
        "evaluation_master": tf_config.get(EVAL_MASTER_KEY, ""), "is_chief": True,
        "num_ps_replicas": 0, "num_worker_replicas": 1,
    }  # fmt: skip


def _with_master(tf_config, cluster):
    """Of a cluster of the older kind, with a master for the chief."""
    if TaskType.CHIEF in cluster.jobs:
        raise ValueError(
            "If `master` node exists in `cluster`, job `chief` is not supported."
        )
    task_type, task_id = _task(cluster, tf_config.get(TASK, {}), TaskType.MASTER)
    if task_type == TaskType.EVALUATOR:
        raise ValueError(
            "If `master` node exists in `cluster`, task_type `evaluator` is not "
            "supported."
        )
    found = _in_cluster(tf_config, cluster, task_type, task_id, TaskType.MASTER)
    return {
        **found, "task_type": task_type, "task_id": task_id,
        "evaluation_master": _evaluation_master(task_type, tf_config),
    }  # fmt: skip


def _in_cluster(tf_config, cluster, task_type, task_id, chief):
    workers = _count(cluster, TaskType.WORKER) + _count(cluster, chief)
    return {
        "master": _session_master(cluster, task_type, task_id, tf_config),
        "num_ps_replicas": _count(cluster, TaskType.PS),
        "num_worker_replicas": workers, "is_chief": task_type == chief,
        "global_id_in_cluster": global_id(cluster, task_type, task_id, chief),
    }  # fmt: skip


def _count(cluster, job):
    return cluster.num_tasks(job) if job in cluster.jobs else 0


def _task(cluster, task, chief):
    """(type, number) of the task at hand."""
    if cluster.num_tasks(chief) > 1:
        raise ValueError(
            f'The "cluster" in TF_CONFIG must have only one "{chief}" node.'
        )
    task_type, task_id = task.get("type"), task.get("index")
    if not task_type:
        raise ValueError('If "cluster" is set in TF_CONFIG, task type must be set.')
    if task_id is None:
        raise ValueError('If "cluster" is set in TF_CONFIG, task index must be set.')
    task_id = int(task_id)
    if task_id < 0:
        raise ValueError("Task index must be non-negative number.")
    if task_type == TaskType.EVALUATOR:
        return task_type, task_id
    where = (
        f"in the cluster_spec:\n{cluster}\n\nNote that these values may be coming from "
        "the TF_CONFIG environment variable."
    )
    if task_type not in cluster.jobs:
        raise ValueError(f"{task_type} is not a valid task_type {where}")
    if not 0 <= task_id < cluster.num_tasks(task_type):
        raise ValueError(
            f"{task_id} is not a valid task_id for task_type {task_type} {where}"
        )
    return task_type, task_id


def global_id(cluster, task_type, task_id, chief):
    """The number of a task among all: the chief, the workers, others, the ps last."""
    first, last = [chief, TaskType.WORKER], [TaskType.PS]
    others = sorted(set(cluster.jobs) - {*first, *last, TaskType.EVALUATOR})
    order = [*first, *others, *last]
    before = order[: order.index(task_type)]
    return sum(_count(cluster, job) for job in before) + task_id


def _session_master(cluster, task_type, task_id, tf_config):
    if MASTER_KEY in tf_config:
        return tf_config[MASTER_KEY]
    if not cluster or (
        len(cluster.jobs) == 1 and cluster.num_tasks(cluster.jobs[0]) == 1
    ):
        return ""
    return f"grpc://{cluster.task_address(task_type, task_id)}"


def _evaluation_master(task_type, tf_config):
    if task_type == TaskType.EVALUATOR:
        return tf_config.get(EVAL_MASTER_KEY, "")
    if EVAL_MASTER_KEY in tf_config:
        raise ValueError(
            f"Key ({EVAL_MASTER_KEY}) should not be set for task type other than "
            f"evaluator. Task type: {task_type}"
        )
    return ""


def _service(service):
    if service is not None and not isinstance(service, dict):
        raise TypeError(
            'If "service" is set in TF_CONFIG, it must be a dict. Given '
            f"{type(service)}"
        )
    return service


def model_dir_of(tf_config, model_dir):
    """The folder that the program or TF_CONFIG gives.

    Raises:
        ValueError: both do, and they differ, or one is empty.
    """
    if model_dir == "":
        raise ValueError("model_dir should be non-empty.")
    given = tf_config.get(MODEL_DIR)
    if given == "":
        raise ValueError("model_dir in TF_CONFIG should be non-empty.")
    if given and model_dir and given != model_dir:
        raise ValueError(
            "`model_dir` provided in RunConfig construct, if set, must have the same "
            f"value as the model_dir in TF_CONFIG. model_dir: {model_dir}\n"
            f'TF_CONFIG["model_dir"]: {given}.\n'
        )
    return model_dir or given


def session_config_of(settings):
    """The ConfigProto of a task of a cluster; None without one."""
    task_type = settings["task_type"]
    if task_type == TaskType.EVALUATOR or not settings["cluster_spec"]:
        return None
    filters = {
        TaskType.MASTER: ["/job:ps", "/job:master"],
        TaskType.CHIEF: ["/job:ps", "/job:chief"],
        TaskType.WORKER: ["/job:ps", f"/job:worker/task:{settings['task_id']}"],
        TaskType.PS: ["/job:ps", "/job:worker", "/job:master"],
    }
    found = default_session_config()
    found.device_filters.extend(filters.get(task_type, ()))
    return found


def default_session_config():
    """The ConfigProto of an Estimator that is given none."""
    found = ConfigProto(allow_soft_placement=True)
    rewriting = found.graph_options.rewrite_options
    rewriting.meta_optimizer_iterations = RewriterConfig.ONE
    return found
