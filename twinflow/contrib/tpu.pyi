# Made by `make stubs` from the table of the index.
from twinflow.contrib.cross_shard import CrossShardOptimizer as CrossShardOptimizer
from twinflow.contrib.tpu_config import InputPipelineConfig as InputPipelineConfig
from twinflow.contrib.tpu_config import RunConfig as RunConfig
from twinflow.contrib.tpu_config import TPUConfig as TPUConfig
from twinflow.contrib.tpu_estimator import TPUEstimator as TPUEstimator
from twinflow.contrib.tpu_estimator import TPUEstimatorSpec as TPUEstimatorSpec
from twinflow.contrib.tpu_keras import TPUDistributionStrategy as TPUDistributionStrategy
from twinflow.contrib.tpu_keras import keras_to_tpu_model as keras_to_tpu_model
