"""tf.contrib.tpu: the estimator of TPUs, with its shards simulated."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.cross_shard: CrossShardOptimizer
twinflow.contrib.tpu_config: InputPipelineConfig RunConfig TPUConfig
twinflow.contrib.tpu_estimator: TPUEstimator TPUEstimatorSpec
twinflow.contrib.tpu_keras: TPUDistributionStrategy keras_to_tpu_model
""",
)
