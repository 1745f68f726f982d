"""tf.saved_model.utils: tensors and what signatures say of them."""

from twinflow.export.signatures import build_tensor_info, get_tensor_from_tensor_info

__all__ = ["build_tensor_info", "get_tensor_from_tensor_info"]
