# Made by `make stubs` from the table of the index.
from twinflow.contrib.session_bundle.exporter import Exporter as Exporter
from twinflow.contrib.session_bundle.exporter import classification_signature as classification_signature
from twinflow.contrib.session_bundle.exporter import generic_signature as generic_signature
from twinflow.contrib.session_bundle.exporter import gfile_copy_callback as gfile_copy_callback
from twinflow.contrib.session_bundle.exporter import regression_signature as regression_signature
from twinflow.contrib.session_bundle.loading import load_session_bundle_from_path as load_session_bundle_from_path
from twinflow.contrib.session_bundle.loading import load_session_bundle_or_saved_model_bundle_from_path as load_session_bundle_or_saved_model_bundle_from_path
from twinflow.contrib.session_bundle.loading import maybe_session_bundle_dir as maybe_session_bundle_dir

__all__ = [
"Exporter", "classification_signature", "generic_signature", "gfile_copy_callback",
"regression_signature", "load_session_bundle_from_path",
"load_session_bundle_or_saved_model_bundle_from_path", "maybe_session_bundle_dir"
]
