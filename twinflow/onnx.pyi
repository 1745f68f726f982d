# Made by `make stubs` from the table of the index.
from twinflow.interchange.onnx.exporting import export as export
from twinflow.interchange.onnx.loading import OnnxModel as OnnxModel
from twinflow.interchange.onnx.loading import load as load

__all__ = [
"export", "OnnxModel", "load"
]
