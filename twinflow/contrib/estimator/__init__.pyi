# Made by `make stubs` from the table of the index.
from twinflow.contrib.estimator.estimators import BaselineEstimator as BaselineEstimator
from twinflow.contrib.estimator.estimators import DNNEstimator as DNNEstimator
from twinflow.contrib.estimator.estimators import DNNLinearCombinedEstimator as DNNLinearCombinedEstimator
from twinflow.contrib.estimator.estimators import LinearEstimator as LinearEstimator
from twinflow.contrib.estimator.dnn_with_layer_annotations import DNNClassifierWithLayerAnnotations as DNNClassifierWithLayerAnnotations
from twinflow.contrib.estimator.dnn_with_layer_annotations import DNNRegressorWithLayerAnnotations as DNNRegressorWithLayerAnnotations
from twinflow.contrib.estimator.hooks import InMemoryEvaluatorHook as InMemoryEvaluatorHook
from twinflow.contrib.estimator.hooks import make_stop_at_checkpoint_step_hook as make_stop_at_checkpoint_step_hook
from twinflow.contrib.estimator.towers import replicate_model_fn as replicate_model_fn
from twinflow.contrib.estimator.tower_optimizer import TowerOptimizer as TowerOptimizer
from twinflow.contrib.estimator.rnn import RNNClassifier as RNNClassifier
from twinflow.contrib.estimator.rnn import RNNEstimator as RNNEstimator
from twinflow.contrib.estimator.saved_model_estimator import SavedModelEstimator as SavedModelEstimator
from twinflow.contrib.estimator.extenders import add_metrics as add_metrics
from twinflow.contrib.estimator.extenders import clip_gradients_by_norm as clip_gradients_by_norm
from twinflow.contrib.estimator.extenders import forward_features as forward_features
from twinflow.contrib.estimator.heads import binary_classification_head as binary_classification_head
from twinflow.contrib.estimator.heads import logistic_regression_head as logistic_regression_head
from twinflow.contrib.estimator.heads import multi_class_head as multi_class_head
from twinflow.contrib.estimator.heads import poisson_regression_head as poisson_regression_head
from twinflow.contrib.estimator.heads import regression_head as regression_head
from twinflow.contrib.estimator.head_of_heads import multi_head as multi_head
from twinflow.contrib.estimator.label_sets import multi_label_head as multi_label_head
from twinflow.estimator.receivers import build_raw_supervised_input_receiver_fn as build_raw_supervised_input_receiver_fn
from twinflow.estimator.receivers import build_supervised_input_receiver_fn_from_input_fn as build_supervised_input_receiver_fn_from_input_fn
from twinflow.contrib.estimator.logit_fns import call_logit_fn as call_logit_fn
from twinflow.contrib.estimator.logit_fns import dnn_logit_fn_builder as dnn_logit_fn_builder
from twinflow.contrib.estimator.logit_fns import linear_logit_fn_builder as linear_logit_fn_builder
from twinflow.contrib.estimator.export import export_all_saved_models as export_all_saved_models
from twinflow.contrib.estimator.export import export_saved_model_for_mode as export_saved_model_for_mode
from twinflow.contrib.estimator.early_stopping import make_early_stopping_hook as make_early_stopping_hook
from twinflow.contrib.estimator.early_stopping import read_eval_metrics as read_eval_metrics
from twinflow.contrib.estimator.early_stopping import stop_if_higher_hook as stop_if_higher_hook
from twinflow.contrib.estimator.early_stopping import stop_if_lower_hook as stop_if_lower_hook
from twinflow.contrib.estimator.early_stopping import stop_if_no_decrease_hook as stop_if_no_decrease_hook
from twinflow.contrib.estimator.early_stopping import stop_if_no_increase_hook as stop_if_no_increase_hook
from twinflow.contrib.estimator.boosted_trees import boosted_trees_classifier_train_in_memory as boosted_trees_classifier_train_in_memory
from twinflow.contrib.estimator.boosted_trees import boosted_trees_regressor_train_in_memory as boosted_trees_regressor_train_in_memory

__all__ = [
"BaselineEstimator", "DNNEstimator", "DNNLinearCombinedEstimator", "LinearEstimator",
"DNNClassifierWithLayerAnnotations", "DNNRegressorWithLayerAnnotations",
"InMemoryEvaluatorHook", "make_stop_at_checkpoint_step_hook", "replicate_model_fn",
"TowerOptimizer", "RNNClassifier", "RNNEstimator", "SavedModelEstimator", "add_metrics",
"clip_gradients_by_norm", "forward_features", "binary_classification_head",
"logistic_regression_head", "multi_class_head", "poisson_regression_head",
"regression_head", "multi_head", "multi_label_head",
"build_raw_supervised_input_receiver_fn",
"build_supervised_input_receiver_fn_from_input_fn", "call_logit_fn",
"dnn_logit_fn_builder", "linear_logit_fn_builder", "export_all_saved_models",
"export_saved_model_for_mode", "make_early_stopping_hook", "read_eval_metrics",
"stop_if_higher_hook", "stop_if_lower_hook", "stop_if_no_decrease_hook",
"stop_if_no_increase_hook", "boosted_trees_classifier_train_in_memory",
"boosted_trees_regressor_train_in_memory"
]
