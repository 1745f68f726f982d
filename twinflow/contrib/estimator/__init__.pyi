# Made by `make stubs` from the table of the index.
from twinflow.contrib.estimator.boosted_trees import boosted_trees_classifier_train_in_memory as boosted_trees_classifier_train_in_memory
from twinflow.contrib.estimator.boosted_trees import boosted_trees_regressor_train_in_memory as boosted_trees_regressor_train_in_memory

__all__ = [
"boosted_trees_classifier_train_in_memory", "boosted_trees_regressor_train_in_memory"
]
