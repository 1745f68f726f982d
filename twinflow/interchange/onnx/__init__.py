"""Models in the format of ONNX, written and read."""
