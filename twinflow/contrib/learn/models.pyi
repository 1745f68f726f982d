# Made by `make stubs` from the table of the index.
from twinflow.contrib.learn.small_models import bidirectional_rnn as bidirectional_rnn
from twinflow.contrib.learn.small_models import get_rnn_model as get_rnn_model
from twinflow.contrib.learn.small_models import linear_regression as linear_regression
from twinflow.contrib.learn.small_models import linear_regression_zero_init as linear_regression_zero_init
from twinflow.contrib.learn.small_models import logistic_regression as logistic_regression
from twinflow.contrib.learn.small_models import logistic_regression_zero_init as logistic_regression_zero_init

__all__ = [
"bidirectional_rnn", "get_rnn_model", "linear_regression",
"linear_regression_zero_init", "logistic_regression", "logistic_regression_zero_init"
]
