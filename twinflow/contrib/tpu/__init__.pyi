# Made by `make stubs` from the table of the index.
from typing import Any
def InfeedQueue(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
def infeed_dequeue(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
def infeed_dequeue_tuple(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
def infeed_enqueue(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
def infeed_enqueue_tuple(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
def initialize_system(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
def outfeed_dequeue(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
def outfeed_dequeue_tuple(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
def outfeed_enqueue(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
def outfeed_enqueue_tuple(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
def shutdown_system(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TPU hardware). Train on what is there: TPUEstimator(use_tpu=False), tf.contrib.tpu.rewrite, or a strategy of tf.contrib.distribute.
    """
from twinflow.contrib.tpu.topology import DeviceAssignment as DeviceAssignment
from twinflow.contrib.tpu.topology import Topology as Topology
from twinflow.contrib.tpu.topology import device_assignment as device_assignment
from twinflow.contrib.tpu.cross_shard import CrossShardOptimizer as CrossShardOptimizer
from twinflow.contrib.tpu.cross_shard import cross_replica_sum as cross_replica_sum
from twinflow.contrib.tpu.replication import batch_parallel as batch_parallel
from twinflow.contrib.tpu.replication import replicate as replicate
from twinflow.contrib.tpu.replication import rewrite as rewrite
from twinflow.contrib.tpu.replication import shard as shard
from twinflow.contrib.tpu.config import InputPipelineConfig as InputPipelineConfig
from twinflow.contrib.tpu.config import RunConfig as _RunConfig
class RunConfig(_RunConfig):
    r"""As tf.estimator.RunConfig, with a TPUConfig.

    Args:
        tpu_config: the TPUConfig.
        evaluation_master, master: the sessions' masters, noted; there is one process.
        cluster: a cluster resolver, whose `master()` it is then. kwargs: those of
            tf.estimator.RunConfig.
    Raises:
        ValueError: both `master` and `cluster` are given.
    """
    model_dir: Any
    tf_random_seed: Any
    save_summary_steps: Any
    save_checkpoints_steps: Any
    save_checkpoints_secs: Any
    session_config: Any
    keep_checkpoint_max: Any
    keep_checkpoint_every_n_hours: Any
    log_step_count_steps: Any
    train_distribute: Any
    device_fn: Any
    protocol: Any
    eval_distribute: Any
    experimental_distribute: Any
    cluster_spec: Any
    is_chief: Any
    num_ps_replicas: Any
    num_worker_replicas: Any
    task_id: Any
    global_id_in_cluster: Any
    task_type: Any
    service: Any
from twinflow.contrib.tpu.config import TPUConfig as TPUConfig
from twinflow.contrib.tpu.async_checkpoint import AsyncCheckpointSaverHook as AsyncCheckpointSaverHook
from twinflow.contrib.tpu.bfloat16 import bfloat16_scope as bfloat16_scope
from twinflow.contrib.tpu.estimator import TPUEstimator as TPUEstimator
from twinflow.contrib.tpu.estimator import TPUEstimatorSpec as TPUEstimatorSpec
from twinflow.contrib.tpu.estimator import export_estimator_savedmodel as export_estimator_savedmodel
from twinflow.contrib.tpu.training_loop import core as core
from twinflow.contrib.tpu.training_loop import outside_compilation as outside_compilation
from twinflow.contrib.tpu.training_loop import repeat as repeat
from twinflow.contrib.tpu.training_loop import while_loop as while_loop
from twinflow.contrib.tpu.keras_models import TPUDistributionStrategy as TPUDistributionStrategy
from twinflow.contrib.tpu.keras_models import keras_to_tpu_model as keras_to_tpu_model

__all__ = [
"InfeedQueue", "infeed_dequeue", "infeed_dequeue_tuple", "infeed_enqueue",
"infeed_enqueue_tuple", "initialize_system", "outfeed_dequeue", "outfeed_dequeue_tuple",
"outfeed_enqueue", "outfeed_enqueue_tuple", "shutdown_system", "DeviceAssignment",
"Topology", "device_assignment", "CrossShardOptimizer", "cross_replica_sum",
"batch_parallel", "replicate", "rewrite", "shard", "InputPipelineConfig", "RunConfig",
"TPUConfig", "AsyncCheckpointSaverHook", "bfloat16_scope", "TPUEstimator",
"TPUEstimatorSpec", "export_estimator_savedmodel", "core", "outside_compilation",
"repeat", "while_loop", "TPUDistributionStrategy", "keras_to_tpu_model"
]
