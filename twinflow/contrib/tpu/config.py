"""tf.contrib.tpu: how a TPUEstimator runs."""

import collections
import copy
from typing import Any

from twinflow.estimator.run_config import RunConfig as PlainConfig

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
        num_cores_per_replica, per_host_input_for_training, tpu_job_name,
        initial_infeed_sleep_secs, input_partition_dims: accepted.
    Raises:
        ValueError: a number is not positive.
    """

    def __new__(
        cls, iterations_per_loop: Any = 2, num_shards: Any = None,
        num_cores_per_replica: Any = None, per_host_input_for_training: bool = True,
        tpu_job_name: Any = None, initial_infeed_sleep_secs: Any = None,
        input_partition_dims: Any = None,
    ):  # fmt: skip
        for name, n in ("iterations_per_loop", iterations_per_loop), (
            "num_shards", num_shards
        ):  # fmt: skip
            if n is not None and n < 1:
                raise ValueError(f"`{name}` must be positive, given {n}")
        return super().__new__(
            cls, iterations_per_loop, num_shards, num_cores_per_replica,
            per_host_input_for_training, tpu_job_name, initial_infeed_sleep_secs,
            input_partition_dims,
        )  # fmt: skip


class RunConfig(PlainConfig):
    """As tf.estimator.RunConfig, with a TPUConfig.

    Args:
        tpu_config: the TPUConfig. evaluation_master, master, cluster: accepted; there
            is one process. kwargs: those of tf.estimator.RunConfig.
    """

    def __init__(
        self, tpu_config: Any = None, evaluation_master: Any = None, master: Any = None,
        cluster: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._tpu_config = tpu_config or TPUConfig()
        self._cluster = cluster
        self._master, self._evaluation_master = master, evaluation_master

    master = property(lambda self: self._master or "", doc="The argument `master`.")
    evaluation_master = property(
        lambda self: self._evaluation_master or self.master,
        doc="The argument `evaluation_master`.",
    )
    tpu_config = property(lambda self: self._tpu_config, doc="The TPUConfig.")
    cluster = property(lambda self: self._cluster, doc="The argument `cluster`.")

    def replace(self, **kwargs: Any) -> Any:
        """A copy with other values; `tpu_config` may be replaced, too."""
        tpu_config = kwargs.pop("tpu_config", None)
        found = super().replace(**kwargs) if kwargs else copy.copy(self)
        if tpu_config is not None:
            found._tpu_config = tpu_config
        return found
