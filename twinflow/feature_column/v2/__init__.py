"""The columns of TensorFlow's feature_column_v2, whose variables a layer keeps."""
