# Made by `make stubs` from the table of the index.
from twinflow.contrib.tpu.cross_shard import CrossShardOptimizer as CrossShardOptimizer
from twinflow.contrib.tpu.config import InputPipelineConfig as InputPipelineConfig
from twinflow.contrib.tpu.config import RunConfig as RunConfig
from twinflow.contrib.tpu.config import TPUConfig as TPUConfig
from twinflow.contrib.tpu.estimator import TPUEstimator as TPUEstimator
from twinflow.contrib.tpu.estimator import TPUEstimatorSpec as TPUEstimatorSpec
from twinflow.contrib.tpu.keras_models import TPUDistributionStrategy as TPUDistributionStrategy
from twinflow.contrib.tpu.keras_models import keras_to_tpu_model as keras_to_tpu_model

__all__ = [
"CrossShardOptimizer", "InputPipelineConfig", "RunConfig", "TPUConfig", "TPUEstimator",
"TPUEstimatorSpec", "TPUDistributionStrategy", "keras_to_tpu_model"
]
