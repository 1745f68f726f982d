# Made by `make stubs` from the table of the index.
from twinflow.contrib.timeseries.readers import CSVReader as CSVReader
from twinflow.contrib.timeseries.readers import NumpyReader as NumpyReader
from twinflow.contrib.timeseries.input_functions import RandomWindowInputFn as RandomWindowInputFn
from twinflow.contrib.timeseries.input_functions import WholeDatasetInputFn as WholeDatasetInputFn
from twinflow.contrib.timeseries.input_functions import predict_continuation_input_fn as predict_continuation_input_fn
from twinflow.contrib.timeseries.feature_keys import FilteringResults as FilteringResults
from twinflow.contrib.timeseries.feature_keys import TrainEvalFeatures as TrainEvalFeatures
from twinflow.contrib.timeseries.ar_model import ARModel as ARModel
from twinflow.contrib.timeseries.head import OneShotPredictionHead as OneShotPredictionHead
from twinflow.contrib.timeseries.estimators import ARRegressor as ARRegressor
from twinflow.contrib.timeseries.estimators import StructuralEnsembleRegressor as StructuralEnsembleRegressor
from twinflow.contrib.timeseries.estimators import TimeSeriesRegressor as TimeSeriesRegressor
from twinflow.contrib.timeseries import saved_model_utils as saved_model_utils

__all__ = [
"CSVReader", "NumpyReader", "RandomWindowInputFn", "WholeDatasetInputFn",
"predict_continuation_input_fn", "FilteringResults", "TrainEvalFeatures", "ARModel",
"OneShotPredictionHead", "ARRegressor", "StructuralEnsembleRegressor",
"TimeSeriesRegressor", "saved_model_utils"
]
