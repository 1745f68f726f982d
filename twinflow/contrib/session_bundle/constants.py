"""The names of files and collections of exported models, and their messages."""

from twinflow.formats.proto_schema import messages

EXPORT_BASE_NAME, EXPORT_SUFFIX_NAME = "export", "meta"
META_GRAPH_DEF_FILENAME = "export.meta"
VARIABLES_FILENAME = "export"
VARIABLES_FILENAME_PATTERN = "export-?????-of-?????"
VARIABLES_FILENAME_PATTERN_V2 = "export.data-?????-of-?????"
VARIABLES_INDEX_FILENAME_V2 = "export.index"
ASSETS_DIRECTORY = "assets"
ASSETS_KEY, GRAPH_KEY = "serving_assets", "serving_graph"
INIT_OP_KEY, SIGNATURES_KEY = "serving_init_op", "serving_signatures"
CLASSIFICATION_SIGNATURE = "classification_signature"
GENERIC_SIGNATURE = "generic_signature"
REGRESSION_SIGNATURE = "regression_signature"
VERSION_FORMAT_SPECIFIER = "%08d"

_SCHEMA = """
AssetFile: tensor_binding=1 TensorBinding, filename=2 string
ClassificationSignature: input=1 TensorBinding, classes=2 TensorBinding, scores=3
  TensorBinding
GenericSignature: map=1 {string:TensorBinding}
RegressionSignature: input=1 TensorBinding, output=2 TensorBinding
Signature: regression_signature=1 RegressionSignature/type, classification_signature=2
  ClassificationSignature/type, generic_signature=3 GenericSignature/type
Signatures: default_signature=1 Signature, named_signatures=2 {string:Signature}
TensorBinding: tensor_name=1 string
"""
_manifest = messages(_SCHEMA, "tensorflow.serving")
AssetFile = _manifest["AssetFile"]
ClassificationSignature = _manifest["ClassificationSignature"]
GenericSignature = _manifest["GenericSignature"]
RegressionSignature = _manifest["RegressionSignature"]
Signature = _manifest["Signature"]
Signatures = _manifest["Signatures"]
TensorBinding = _manifest["TensorBinding"]
