"""From the nodes of ONNX to ops: a table of readers for each family."""
