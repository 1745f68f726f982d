# Made by `make stubs` from the table of the index.
from twinflow.export.parts import builder as builder
from twinflow.export.parts import loader as loader
from twinflow.export.parts import main_op as main_op
from twinflow.export.parts import signature_def_utils as signature_def_utils
from twinflow.export.parts import tensor_infos as utils
from twinflow.export import constants as constants
from twinflow.export import tag_constants as tag_constants
from twinflow.export import signature_constants as signature_constants
from twinflow.export.saved_model import SavedModelBuilder as Builder
from twinflow.export.saved_model import main_op_with_restore as main_op_with_restore
from twinflow.export.saved_model import simple_save as simple_save
from twinflow.export.loading import maybe_saved_model_directory as maybe_saved_model_directory
from twinflow.export.loaded_objects import load as load
from twinflow.export.loaded_objects import load_v2 as load_v2
from twinflow.export.signatures import build_signature_def as build_signature_def
from twinflow.export.signatures import build_tensor_info as build_tensor_info
from twinflow.export.signatures import classification_signature_def as classification_signature_def
from twinflow.export.signatures import get_tensor_from_tensor_info as get_tensor_from_tensor_info
from twinflow.export.signatures import is_valid_signature as is_valid_signature
from twinflow.export.signatures import predict_signature_def as predict_signature_def
from twinflow.export.signatures import regression_signature_def as regression_signature_def

__all__ = [
"builder", "loader", "main_op", "signature_def_utils", "utils", "constants",
"tag_constants", "signature_constants", "Builder", "main_op_with_restore",
"simple_save", "maybe_saved_model_directory", "load", "load_v2", "build_signature_def",
"build_tensor_info", "classification_signature_def", "get_tensor_from_tensor_info",
"is_valid_signature", "predict_signature_def", "regression_signature_def"
]
