"""How gradients travel: as they are, or as half floats."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import cast


class Compressor:
    """The base: a tensor to one that travels, and back."""

    @staticmethod
    def compress(tensor: Tensor) -> tuple[Tensor, Any]:
        """(the tensor that travels, what `decompress` needs to know)."""
        raise NotImplementedError("A Compressor says how to compress.")

    @staticmethod
    def decompress(tensor: Tensor, ctx: Any) -> Tensor:
        """The tensor as it was."""
        raise NotImplementedError("A Compressor says how to decompress.")


class NoneCompressor(Compressor):
    """Changes nothing."""

    @staticmethod
    def compress(tensor: Tensor) -> tuple[Tensor, Any]:
        """The tensor itself."""
        return tensor, None

    @staticmethod
    def decompress(tensor: Tensor, ctx: Any) -> Tensor:
        """The tensor itself."""
        return tensor


class FP16Compressor(Compressor):
    """Rounds floats to float16; sums are made in float32 and rounded once."""

    @staticmethod
    def compress(tensor: Tensor) -> tuple[Tensor, Any]:
        """(the half floats, the dtype before)."""
        dtype = tensor.dtype.base_dtype
        if not dtype.is_floating:
            return tensor, None
        return cast(tensor, dtypes.float16), dtype

    @staticmethod
    def decompress(tensor: Tensor, ctx: Any) -> Tensor:
        """In the dtype before."""
        return tensor if ctx is None else cast(tensor, ctx)


class Compression:
    """The choices: `Compression.none` and `Compression.fp16`."""

    none = NoneCompressor
    fp16 = FP16Compressor
