"""The version of TensorFlow whose interface this is."""

VERSION = "1.12.0"
GIT_VERSION = "v1.12.0-twinflow"
COMPILER_VERSION = "none"  # nothing of it was compiled from C++
CXX11_ABI_FLAG = 0
MONOLITHIC_BUILD = 0
GRAPH_DEF_VERSION = 27
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0
