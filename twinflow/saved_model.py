"""tf.saved_model: graphs with signatures and values, for serving."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.export.saved_model_parts: builder loader main_op signature_def_utils utils
twinflow.export.constants: constants=*
twinflow.export.tag_constants: tag_constants=*
twinflow.export.signature_constants: signature_constants=*
twinflow.export.saved_model: Builder=SavedModelBuilder load main_op_with_restore
twinflow.export.saved_model: maybe_saved_model_directory simple_save
twinflow.export.signatures: build_signature_def build_tensor_info
twinflow.export.signatures: classification_signature_def get_tensor_from_tensor_info
twinflow.export.signatures: is_valid_signature predict_signature_def
twinflow.export.signatures: regression_signature_def
""",
)
