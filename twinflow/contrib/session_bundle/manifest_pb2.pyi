# Made by `make stubs` from the table of the index.
from twinflow.contrib.session_bundle.constants import AssetFile as AssetFile
from twinflow.contrib.session_bundle.constants import ClassificationSignature as ClassificationSignature
from twinflow.contrib.session_bundle.constants import GenericSignature as GenericSignature
from twinflow.contrib.session_bundle.constants import RegressionSignature as RegressionSignature
from twinflow.contrib.session_bundle.constants import Signature as Signature
from twinflow.contrib.session_bundle.constants import Signatures as Signatures
from twinflow.contrib.session_bundle.constants import TensorBinding as TensorBinding

__all__ = [
"AssetFile", "ClassificationSignature", "GenericSignature", "RegressionSignature",
"Signature", "Signatures", "TensorBinding"
]
