"""What an Estimator does differently as the task of a cluster."""

from twinflow.estimator.tf_config import TaskType
from twinflow.train.device_setter import STANDARD_PS_OPS, replica_device_setter
from twinflow.train.saving_hooks import StepCounterHook, SummarySaverHook


def device_function(config):
    """Where the nodes of a training are: variables with the ps, if there are any."""
    return config.device_fn or replica_setter(config)


def replica_setter(config):
    """The device function of a RunConfig's cluster; None where it has no ps."""
    if config.num_ps_replicas <= 0:
        return None
    worker = "/job:worker"
    if config.task_type:
        worker = f"/job:{config.task_type}/task:{config.task_id}"
    return replica_device_setter(
        ps_tasks=config.num_ps_replicas, worker_device=worker, merge_devices=True,
        ps_ops=list(STANDARD_PS_OPS), cluster=config.cluster_spec,
    )  # fmt: skip


def summaries(config, scaffold):
    """How often sessions write summaries and log steps, and the hooks of this task.

    With a master, the first worker writes both: the master evaluates in between.

    Returns:
        (every how many steps summaries, every how many the speed, SessionRunHooks)
    """
    every, logged = config.save_summary_steps, config.log_step_count_steps
    if not {TaskType.WORKER, TaskType.MASTER} <= set(config.cluster_spec.jobs):
        return every, logged, []
    found, folder = [], config.model_dir
    if config.task_type == TaskType.WORKER and config.task_id == 0:
        if every and every > 0:
            found.append(SummarySaverHook(every, output_dir=folder, scaffold=scaffold))
        if logged and logged > 0:
            found.append(StepCounterHook(logged, output_dir=folder))
    return 0, None, found
