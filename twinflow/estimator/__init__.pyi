# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.estimator.estimator import Estimator as Estimator
from twinflow.estimator import export as export
from twinflow.estimator.exporters import BestExporter as BestExporter
from twinflow.estimator.exporters import Exporter as Exporter
from twinflow.estimator.exporters import FinalExporter as FinalExporter
from twinflow.estimator.exporters import LatestExporter as LatestExporter
from twinflow.estimator import inputs as inputs
from twinflow.estimator.model_fn import EstimatorSpec as EstimatorSpec
from twinflow.estimator.model_fn import ModeKeys as ModeKeys
from twinflow.estimator.run_config import RunConfig as _RunConfig
class RunConfig(_RunConfig):
    r"""How an Estimator runs.

    Args:
        model_dir: the folder of checkpoints and summaries.
        tf_random_seed: the seed of the graphs.
        save_summary_steps: how often summaries are written; None: never.
        save_checkpoints_steps, save_checkpoints_secs: how often checkpoints are; one of
            them, every 600 s by default; both None: never.
        session_config: a ConfigProto. keep_checkpoint_max: how many stay.
        keep_checkpoint_every_n_hours: one that stays in each such time.
        log_step_count_steps: how often loss and steps per second are logged.
        train_distribute, eval_distribute: a strategy of tf.contrib.distribute each.
        experimental_distribute: a DistributeConfig, in their place.
        device_fn, protocol: accepted; there is one process.
    Raises:
        ValueError: both times of checkpoints are given, a number is not positive, or
            TF_CONFIG does not fit together.
    Example:
        config = tf.estimator.RunConfig(save_checkpoints_steps=10)
        config.replace(tf_random_seed=1).save_checkpoints_secs  # None
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
    evaluation_master: Any
    master: Any
    is_chief: Any
    num_ps_replicas: Any
    num_worker_replicas: Any
    task_id: Any
    global_id_in_cluster: Any
    task_type: Any
    service: Any
from twinflow.estimator.warm_start import WarmStartSettings as WarmStartSettings
from twinflow.checkpoint.vocabularies import VocabInfo as VocabInfo
from twinflow.estimator.training import EvalSpec as EvalSpec
from twinflow.estimator.training import TrainSpec as TrainSpec
from twinflow.estimator.training import train_and_evaluate as train_and_evaluate
from twinflow.estimator.canned.baseline import BaselineClassifier as BaselineClassifier
from twinflow.estimator.canned.baseline import BaselineRegressor as BaselineRegressor
from twinflow.estimator.canned.linear import LinearClassifier as LinearClassifier
from twinflow.estimator.canned.linear import LinearRegressor as LinearRegressor
from twinflow.estimator.canned.parsing_utils import classifier_parse_example_spec as classifier_parse_example_spec
from twinflow.estimator.canned.parsing_utils import regressor_parse_example_spec as regressor_parse_example_spec
from twinflow.estimator.canned.dnn import DNNClassifier as DNNClassifier
from twinflow.estimator.canned.dnn import DNNRegressor as DNNRegressor
from twinflow.estimator.canned.dnn_linear_combined import DNNLinearCombinedClassifier as DNNLinearCombinedClassifier
from twinflow.estimator.canned.dnn_linear_combined import DNNLinearCombinedRegressor as DNNLinearCombinedRegressor
from twinflow.estimator.trees.estimators import BoostedTreesClassifier as BoostedTreesClassifier
from twinflow.estimator.trees.estimators import BoostedTreesRegressor as BoostedTreesRegressor

__all__ = [
"Estimator", "export", "BestExporter", "Exporter", "FinalExporter", "LatestExporter",
"inputs", "EstimatorSpec", "ModeKeys", "RunConfig", "WarmStartSettings", "VocabInfo",
"EvalSpec", "TrainSpec", "train_and_evaluate", "BaselineClassifier",
"BaselineRegressor", "LinearClassifier", "LinearRegressor",
"classifier_parse_example_spec", "regressor_parse_example_spec", "DNNClassifier",
"DNNRegressor", "DNNLinearCombinedClassifier", "DNNLinearCombinedRegressor",
"BoostedTreesClassifier", "BoostedTreesRegressor"
]
