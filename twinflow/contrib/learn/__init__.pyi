# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.contrib.learn.recurrent_models import DynamicRnnEstimator as DynamicRnnEstimator
from twinflow.contrib.learn import datasets as datasets
from twinflow.contrib.learn import preprocessing as preprocessing
from twinflow.contrib.learn import monitors as monitors
from twinflow.contrib.learn.monitors import NanLossDuringTrainingError as NanLossDuringTrainingError
from twinflow.contrib.learn import learn_runner as learn_runner
from twinflow.contrib.learn.estimator import BaseEstimator as BaseEstimator
from twinflow.contrib.learn.estimator import Estimator as Estimator
from twinflow.contrib.learn.estimator import Evaluable as Evaluable
from twinflow.contrib.learn.estimator import NotFittedError as NotFittedError
from twinflow.contrib.learn.estimator import SKCompat as SKCompat
from twinflow.contrib.learn.estimator import Trainable as Trainable
from twinflow.contrib.learn.experiment import Experiment as Experiment
from twinflow.contrib.learn.export import ExportStrategy as ExportStrategy
from twinflow.contrib.learn.export import InputFnOps as InputFnOps
from twinflow.contrib.learn.export import build_parsing_serving_input_fn as build_parsing_serving_input_fn
from twinflow.contrib.learn.export import make_export_strategy as make_export_strategy
from twinflow.contrib.learn import utils as utils
from twinflow.contrib.learn import io as io
from twinflow.contrib.learn.keys import ModeKeys as ModeKeys
from twinflow.contrib.learn.keys import PredictionKey as PredictionKey
from twinflow.contrib.learn.keys import ProblemType as ProblemType
from twinflow.contrib.learn.keys import TaskType as TaskType
from twinflow.contrib.learn.metric_spec import MetricSpec as MetricSpec
from twinflow.contrib.learn.model_fn import ModelFnOps as ModelFnOps
from twinflow.contrib.learn.run_config import RunConfig as _RunConfig
class RunConfig(_RunConfig):
    r"""How an Estimator runs.

    Args:
        master, num_cores, protocol, evaluation_master: accepted; num_cores goes into
            the session's settings.
        log_device_placement, gpu_memory_fraction: the session's settings, where
            `session_config` does not give them.
        tf_random_seed, save_summary_steps, save_checkpoints_secs,
        save_checkpoints_steps, keep_checkpoint_max, keep_checkpoint_every_n_hours,
        log_step_count_steps, model_dir, session_config: see tf.estimator.RunConfig.
    Example:
        tf.contrib.learn.RunConfig(save_checkpoints_steps=10).save_checkpoints_steps
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
from twinflow.contrib.learn.canned import DNNClassifier as DNNClassifier
from twinflow.contrib.learn.canned import DNNEstimator as DNNEstimator
from twinflow.contrib.learn.canned import DNNLinearCombinedClassifier as DNNLinearCombinedClassifier
from twinflow.contrib.learn.canned import DNNLinearCombinedRegressor as DNNLinearCombinedRegressor
from twinflow.contrib.learn.canned import DNNRegressor as DNNRegressor
from twinflow.contrib.learn.canned import LinearClassifier as LinearClassifier
from twinflow.contrib.learn.canned import LinearEstimator as LinearEstimator
from twinflow.contrib.learn.canned import LinearRegressor as LinearRegressor
from twinflow.contrib.learn.canned import infer_real_valued_columns_from_input as infer_real_valued_columns_from_input
from twinflow.contrib.learn.canned import infer_real_valued_columns_from_input_fn as infer_real_valued_columns_from_input_fn
from twinflow.contrib.learn.more_canned import DNNLinearCombinedEstimator as DNNLinearCombinedEstimator
from twinflow.contrib.learn.more_canned import KMeansClustering as KMeansClustering
from twinflow.contrib.learn.more_canned import LogisticRegressor as LogisticRegressor
from twinflow.contrib.learn.sdca_models import SVM as SVM
from twinflow.contrib.learn.head_of_heads import multi_head as multi_head
from twinflow.contrib.learn.graph_runs import evaluate as evaluate
from twinflow.contrib.learn.graph_runs import infer as infer
from twinflow.contrib.learn.graph_runs import run_feeds as run_feeds
from twinflow.contrib.learn.graph_runs import run_n as run_n
from twinflow.contrib.learn.graph_runs import train as train
from twinflow.contrib.learn import graph_actions as graph_actions
from twinflow.contrib.learn import models as models
from twinflow.contrib.learn import ops as ops
from twinflow.contrib.learn.tables import extract_dask_data as extract_dask_data
from twinflow.contrib.learn.tables import extract_dask_labels as extract_dask_labels
from twinflow.contrib.learn.tables import extract_pandas_data as extract_pandas_data
from twinflow.contrib.learn.tables import extract_pandas_labels as extract_pandas_labels
from twinflow.contrib.learn.tables import extract_pandas_matrix as extract_pandas_matrix
from twinflow.contrib.learn.reading import read_batch_examples as read_batch_examples
from twinflow.contrib.learn.reading import read_batch_features as read_batch_features
from twinflow.contrib.learn.reading import read_batch_record_features as read_batch_record_features
from twinflow.contrib.learn.reading import read_keyed_batch_examples as read_keyed_batch_examples
from twinflow.contrib.learn.reading import read_keyed_batch_examples_shared_queue as read_keyed_batch_examples_shared_queue
from twinflow.contrib.learn.reading import read_keyed_batch_features as read_keyed_batch_features
from twinflow.contrib.learn.reading import read_keyed_batch_features_shared_queue as read_keyed_batch_features_shared_queue
from twinflow.contrib.learn.heads import Head as Head
from twinflow.contrib.learn.heads import binary_svm_head as binary_svm_head
from twinflow.contrib.learn.heads import multi_class_head as multi_class_head
from twinflow.contrib.learn.heads import multi_label_head as multi_label_head
from twinflow.contrib.learn.heads import no_op_train_fn as no_op_train_fn
from twinflow.contrib.learn.heads import poisson_regression_head as poisson_regression_head
from twinflow.contrib.learn.heads import regression_head as regression_head
from twinflow.contrib.learn import head as head

__all__ = [
"DynamicRnnEstimator", "datasets", "preprocessing", "monitors",
"NanLossDuringTrainingError", "learn_runner", "BaseEstimator", "Estimator", "Evaluable",
"NotFittedError", "SKCompat", "Trainable", "Experiment", "ExportStrategy", "InputFnOps",
"build_parsing_serving_input_fn", "make_export_strategy", "utils", "io", "ModeKeys",
"PredictionKey", "ProblemType", "TaskType", "MetricSpec", "ModelFnOps", "RunConfig",
"DNNClassifier", "DNNEstimator", "DNNLinearCombinedClassifier",
"DNNLinearCombinedRegressor", "DNNRegressor", "LinearClassifier", "LinearEstimator",
"LinearRegressor", "infer_real_valued_columns_from_input",
"infer_real_valued_columns_from_input_fn", "DNNLinearCombinedEstimator",
"KMeansClustering", "LogisticRegressor", "SVM", "multi_head", "evaluate", "infer",
"run_feeds", "run_n", "train", "graph_actions", "models", "ops", "extract_dask_data",
"extract_dask_labels", "extract_pandas_data", "extract_pandas_labels",
"extract_pandas_matrix", "read_batch_examples", "read_batch_features",
"read_batch_record_features", "read_keyed_batch_examples",
"read_keyed_batch_examples_shared_queue", "read_keyed_batch_features",
"read_keyed_batch_features_shared_queue", "Head", "binary_svm_head", "multi_class_head",
"multi_label_head", "no_op_train_fn", "poisson_regression_head", "regression_head",
"head"
]
