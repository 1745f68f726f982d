"""The modules that tf.saved_model had: each a few names of the functions here."""

from types import SimpleNamespace

from twinflow.export import loading, saved_model, signatures

builder = SimpleNamespace(SavedModelBuilder=saved_model.SavedModelBuilder)
loader = SimpleNamespace(
    load=loading.load,
    maybe_saved_model_directory=loading.maybe_saved_model_directory,
)
main_op = SimpleNamespace(
    main_op=saved_model.main_op, main_op_with_restore=saved_model.main_op_with_restore
)
signature_def_utils = SimpleNamespace(
    build_signature_def=signatures.build_signature_def,
    classification_signature_def=signatures.classification_signature_def,
    is_valid_signature=signatures.is_valid_signature,
    predict_signature_def=signatures.predict_signature_def,
    regression_signature_def=signatures.regression_signature_def,
)
utils = SimpleNamespace(
    build_tensor_info=signatures.build_tensor_info,
    get_tensor_from_tensor_info=signatures.get_tensor_from_tensor_info,
)
