"""tf.contrib.lite.constants: numbers of types and formats."""

FLOAT = 1
QUANTIZED_UINT8 = 2
INT32 = 3
INT64 = 4
STRING = 5
TENSORFLOW_GRAPHDEF = 1
TFLITE = 2
GRAPHVIZ_DOT = 3
EXPERIMENTAL_USE_TOCO_API_DIRECTLY = False
