"""From nodes to those of ONNX: a table of writers for each family of ops."""
