# Made by `make stubs` from the table of the index.
from twinflow.contrib.boosted_trees.estimator_batch import custom_export_strategy as custom_export_strategy
from twinflow.contrib.boosted_trees.estimator_batch import custom_loss_head as custom_loss_head
from twinflow.contrib.boosted_trees.estimator_batch import distillation_loss as distillation_loss
from twinflow.contrib.boosted_trees.estimator_batch import dnn_tree_combined_estimator as dnn_tree_combined_estimator
from twinflow.contrib.boosted_trees.estimator_batch import estimator as estimator
from twinflow.contrib.boosted_trees.estimator_batch import model as model
from twinflow.contrib.boosted_trees.estimator_batch import trainer_hooks as trainer_hooks

__all__ = [
"custom_export_strategy", "custom_loss_head", "distillation_loss",
"dnn_tree_combined_estimator", "estimator", "model", "trainer_hooks"
]
