"""tf.contrib.tpu: the estimator of TPUs, with its shards simulated."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.contrib.tpu.cross_shard: CrossShardOptimizer
twinflow.contrib.tpu.config: InputPipelineConfig RunConfig TPUConfig
twinflow.contrib.tpu.estimator: TPUEstimator TPUEstimatorSpec
twinflow.contrib.tpu.keras_models: TPUDistributionStrategy keras_to_tpu_model
""",
)
