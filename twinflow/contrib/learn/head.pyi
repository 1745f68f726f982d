# Made by `make stubs` from the table of the index.
from twinflow.contrib.learn.keys import MetricKey as mkey
from twinflow.contrib.learn.head_of_heads import multi_head as multi_head
from twinflow.contrib.learn.heads import Head as Head
from twinflow.contrib.learn.heads import binary_svm_head as binary_svm_head
from twinflow.contrib.learn.heads import loss_only_head as loss_only_head
from twinflow.contrib.learn.heads import multi_class_head as multi_class_head
from twinflow.contrib.learn.heads import multi_label_head as multi_label_head
from twinflow.contrib.learn.heads import no_op_train_fn as no_op_train_fn
from twinflow.contrib.learn.heads import poisson_regression_head as poisson_regression_head
from twinflow.contrib.learn.heads import regression_head as regression_head

__all__ = [
"mkey", "multi_head", "Head", "binary_svm_head", "loss_only_head", "multi_class_head",
"multi_label_head", "no_op_train_fn", "poisson_regression_head", "regression_head"
]
