# Made by `make stubs` from the table of the index.
from twinflow.estimator.export_outputs import ClassificationOutput as ClassificationOutput
from twinflow.estimator.export_outputs import ExportOutput as ExportOutput
from twinflow.estimator.export_outputs import PredictOutput as PredictOutput
from twinflow.estimator.export_outputs import RegressionOutput as RegressionOutput
from twinflow.estimator.receivers import ServingInputReceiver as ServingInputReceiver
from twinflow.estimator.receivers import TensorServingInputReceiver as TensorServingInputReceiver
from twinflow.estimator.receivers import build_parsing_serving_input_receiver_fn as build_parsing_serving_input_receiver_fn
from twinflow.estimator.receivers import build_raw_serving_input_receiver_fn as build_raw_serving_input_receiver_fn

__all__ = [
"ClassificationOutput", "ExportOutput", "PredictOutput", "RegressionOutput",
"ServingInputReceiver", "TensorServingInputReceiver",
"build_parsing_serving_input_receiver_fn", "build_raw_serving_input_receiver_fn"
]
