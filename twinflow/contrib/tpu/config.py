"""tf.contrib.tpu: how a TPUEstimator runs."""

import collections
from typing import Any

from twinflow.estimator.run_config import RunConfig as PlainConfig
from twinflow.estimator.tf_config import read_tf_config
from twinflow.formats.protos import ConfigProto

_FIELDS = [
    "iterations_per_loop", "num_shards", "num_cores_per_replica",
    "per_host_input_for_training", "tpu_job_name", "initial_infeed_sleep_secs",
    "input_partition_dims",
]  # fmt: skip


class InputPipelineConfig:
    """Where the input of a TPU is made; accepted, there is one host."""

    PER_SHARD_V1 = 1
    PER_HOST_V1 = 2
    PER_HOST_V2 = 3
    BROADCAST = 4


class TPUConfig(collections.namedtuple("TPUConfig", _FIELDS)):
    """How the shards of a TPUEstimator run.

    Args:
        iterations_per_loop: steps between two looks of the hooks.
        num_shards: how many shards are simulated where there is no TPU; 1 by default.
        num_cores_per_replica: 1, 2, 4, 8 or 16, or None.
        per_host_input_for_training: one of InputPipelineConfig; True is PER_HOST_V1.
        tpu_job_name: accepted. initial_infeed_sleep_secs: accepted, above 0.
        input_partition_dims: accepted, for PER_HOST_V2 and with num_cores_per_replica.
    Raises:
        ValueError: a number is not positive, or they do not go together.
    """

    def __new__(
        cls, iterations_per_loop: Any = 2, num_shards: Any = None,
        num_cores_per_replica: Any = None, per_host_input_for_training: Any = True,
        tpu_job_name: Any = None, initial_infeed_sleep_secs: Any = None,
        input_partition_dims: Any = None,
    ):  # fmt: skip
        _check_positive(iterations_per_loop, "TPUConfig iterations_per_loop")
        if num_shards is not None:
            _check_positive(num_shards, "TPUConfig num_shards")
        if input_partition_dims is not None:
            _check_partition(
                input_partition_dims, per_host_input_for_training, num_cores_per_replica
            )
        if num_cores_per_replica not in (None, 1, 2, 4, 8, 16):
            raise ValueError(
                "num_cores_per_replica must be 1, 2, 4, 8, or 16; got "
                f"{num_cores_per_replica}"
            )
        if isinstance(per_host_input_for_training, bool):
            kinds = InputPipelineConfig.PER_SHARD_V1, InputPipelineConfig.PER_HOST_V1
            per_host_input_for_training = kinds[per_host_input_for_training]
        if initial_infeed_sleep_secs:
            _check_positive(
                initial_infeed_sleep_secs, "TPUConfig initial_infeed_sleep_secs"
            )
        service = (read_tf_config() or {}).get("service") or {}
        job = tpu_job_name or service.get("tpu_worker_job_name")
        return super().__new__(
            cls, iterations_per_loop, num_shards, num_cores_per_replica,
            per_host_input_for_training, job, initial_infeed_sleep_secs,
            input_partition_dims,
        )  # fmt: skip


def _check_positive(value, name):
    if not isinstance(value, int):
        raise TypeError(f"{name} must be int, got {type(value)}")
    if value <= 0:
        raise ValueError(f"{name} must be positive, got {value}")


def _check_partition(dims, per_host, cores):
    if len(dims) not in (1, 2):
        raise ValueError(
            "input_partition_dims must be a list/tuple with one or two elements."
        )
    if per_host is not InputPipelineConfig.PER_HOST_V2:
        raise ValueError("input_partition_dims is only supported in PER_HOST_V2 mode.")
    if cores is None:
        raise ValueError("input_partition_dims requires setting num_cores_per_replica.")


class RunConfig(PlainConfig):
    """As tf.estimator.RunConfig, with a TPUConfig.

    Args:
        tpu_config: the TPUConfig.
        evaluation_master, master: the sessions' masters, noted; there is one process.
        cluster: a cluster resolver, whose `master()` it is then. kwargs: those of
            tf.estimator.RunConfig.
    Raises:
        ValueError: both `master` and `cluster` are given.
    """

    def __init__(
        self, tpu_config: Any = None, evaluation_master: Any = None, master: Any = None,
        cluster: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._tpu_config = tpu_config or TPUConfig()
        self._cluster = cluster
        if "session_config" not in kwargs:
            self._session_config = None  # no filters of devices
        if master is not None and cluster is not None:
            raise ValueError("Both master and cluster are set.")
        settings: Any = read_tf_config() or {}
        found = cluster.master() if cluster else settings.get("session_master", "")
        self._master = found if master is None else master
        if evaluation_master is None:
            evaluation_master = settings.get("eval_session_master")
        if evaluation_master is None:
            is_evaluator = self.task_type == "evaluator"
            evaluation_master = "" if is_evaluator else self._master
        self._evaluation_master = evaluation_master
        if cluster:
            self._session_config = _for_cluster(self._session_config, cluster)

    master = property(lambda self: self._master, doc="The master of sessions, or ''.")
    evaluation_master = property(
        lambda self: self._evaluation_master, doc="That of sessions that evaluate."
    )
    tpu_config = property(lambda self: self._tpu_config, doc="The TPUConfig.")
    cluster = property(lambda self: self._cluster, doc="The argument `cluster`.")

    def replace(self, **kwargs: Any) -> Any:
        """A copy with other values; `tpu_config` may be replaced, too."""
        tpu_config = kwargs.pop("tpu_config", None)
        found = super().replace(**kwargs)
        if tpu_config is not None:
            found._tpu_config = tpu_config
        return found


def _for_cluster(session_config, cluster):
    """The ConfigProto of sessions in the cluster of a resolver."""
    config = ConfigProto(allow_soft_placement=True)
    if session_config is not None:
        config.CopyFrom(session_config)
    spec = cluster.cluster_spec()
    if spec and config.HasField("cluster_def"):
        raise ValueError(
            "You cannot provide a ClusterResolver and session_config.cluster_def."
        )
    if spec:
        config.cluster_def.CopyFrom(spec.as_cluster_def())
    return config
