"""tf.contrib.util: tensors as protocol buffers."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.formats.tensor_proto: make_tensor_proto make_ndarray
twinflow.graph.static: constant_value
""",
)
