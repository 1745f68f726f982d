# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.estimator.canned.baseline import BaselineClassifier as BaselineClassifier
from twinflow.estimator.canned.baseline import BaselineRegressor as BaselineRegressor
from twinflow.estimator.estimator import Estimator as Estimator
from twinflow.estimator.trees.estimators import BoostedTreesClassifier as BoostedTreesClassifier
from twinflow.estimator.trees.estimators import BoostedTreesRegressor as BoostedTreesRegressor
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
from twinflow.estimator.warm_start import WarmStartSettings as WarmStartSettings
from twinflow.checkpoint.vocabularies import VocabInfo as VocabInfo
from twinflow.estimator.training import EvalSpec as EvalSpec
from twinflow.estimator.training import TrainSpec as TrainSpec
from twinflow.estimator.training import train_and_evaluate as train_and_evaluate

__all__ = [
"BaselineClassifier", "BaselineRegressor", "Estimator", "BoostedTreesClassifier",
"BoostedTreesRegressor", "export", "BestExporter", "Exporter", "FinalExporter",
"LatestExporter", "inputs", "EstimatorSpec", "ModeKeys", "RunConfig",
"WarmStartSettings", "VocabInfo", "EvalSpec", "TrainSpec", "train_and_evaluate"
]
