# Made by `make stubs` from the table of the index.
from twinflow.contrib.session_bundle import constants as constants
from twinflow.contrib.session_bundle import exporter as exporter
from twinflow.contrib.session_bundle.exporter import Exporter as Exporter
from twinflow.contrib.session_bundle.exporter import classification_signature as classification_signature
from twinflow.contrib.session_bundle.exporter import generic_signature as generic_signature
from twinflow.contrib.session_bundle.exporter import gfile_copy_callback as gfile_copy_callback
from twinflow.contrib.session_bundle.exporter import regression_signature as regression_signature
from twinflow.contrib.session_bundle import gc as gc
from twinflow.contrib.session_bundle import loading as bundle_shim
from twinflow.contrib.session_bundle import loading as session_bundle
from twinflow.contrib.session_bundle.loading import load_session_bundle_from_path as load_session_bundle_from_path
from twinflow.contrib.session_bundle.loading import load_session_bundle_or_saved_model_bundle_from_path as load_session_bundle_or_saved_model_bundle_from_path
from twinflow.contrib.session_bundle.loading import maybe_session_bundle_dir as maybe_session_bundle_dir
from twinflow.contrib.session_bundle import manifest_pb2 as manifest_pb2

__all__ = [
"constants", "exporter", "Exporter", "classification_signature", "generic_signature",
"gfile_copy_callback", "regression_signature", "gc", "bundle_shim", "session_bundle",
"load_session_bundle_from_path", "load_session_bundle_or_saved_model_bundle_from_path",
"maybe_session_bundle_dir", "manifest_pb2"
]
