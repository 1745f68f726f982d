# Made by `make stubs` from the table of the index.
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from typing import Any
from twinflow import fft as fft
from twinflow import fft2d as fft2d
from twinflow import fft3d as fft3d
from twinflow import ifft as ifft
from twinflow import ifft2d as ifft2d
from twinflow import ifft3d as ifft3d
def rfft(input_tensor: TensorValue, fft_length: Any = ..., name: str | None = ...) -> Tensor:
    r"""The Fourier transform of real numbers, without its mirrored half, along the last axis.

    Args:
        input_tensor: float32[..., n].
        fft_length: int32[1], the length of the transform: the input is cut or
            continued with zeros; by default [n].
        name: the name of the node in a graph.
    Returns:
        complex64[..., n // 2 + 1]
    Raises:
        ValueError: the input has not so many axes.
        InvalidArgumentError (eager) or ValueError (graph): fft_length has another size.
    Example:
        tf.spectral.rfft([1., 2.])  # [3+0j, -1+0j]
    """
def rfft2d(input_tensor: TensorValue, fft_length: Any = ..., name: str | None = ...) -> Tensor:
    r"""The Fourier transform of real numbers, without its mirrored half, along the last two axes.

    Args:
        input_tensor: float32[..., m, n].
        fft_length: int32[2], the length of the transform: the input is cut or
            continued with zeros; by default [m, n].
        name: the name of the node in a graph.
    Returns:
        complex64[..., m, n // 2 + 1]
    Raises:
        ValueError: the input has not so many axes.
        InvalidArgumentError (eager) or ValueError (graph): fft_length has another size.
    Example:
        tf.spectral.rfft([1., 2.])  # [3+0j, -1+0j]
    """
def rfft3d(input_tensor: TensorValue, fft_length: Any = ..., name: str | None = ...) -> Tensor:
    r"""The Fourier transform of real numbers, without its mirrored half, along the last three axes.

    Args:
        input_tensor: float32[..., l, m, n].
        fft_length: int32[3], the length of the transform: the input is cut or
            continued with zeros; by default [l, m, n].
        name: the name of the node in a graph.
    Returns:
        complex64[..., l, m, n // 2 + 1]
    Raises:
        ValueError: the input has not so many axes.
        InvalidArgumentError (eager) or ValueError (graph): fft_length has another size.
    Example:
        tf.spectral.rfft([1., 2.])  # [3+0j, -1+0j]
    """
def irfft(input_tensor: TensorValue, fft_length: Any = ..., name: str | None = ...) -> Tensor:
    r"""The real numbers from half of their Fourier transform, along the last axis.

    Args:
        input_tensor: complex64[..., n // 2 + 1].
        fft_length: int32[1], the length of the transform: the input is cut or
            continued with zeros; by default [n] with an even n.
        name: the name of the node in a graph.
    Returns:
        float32[..., n]
    Raises:
        ValueError: the input has not so many axes.
        InvalidArgumentError (eager) or ValueError (graph): fft_length has another size.
    Example:
        tf.spectral.irfft(tf.constant([3, -1], tf.complex64))  # [1., 2.]
    """
def irfft2d(input_tensor: TensorValue, fft_length: Any = ..., name: str | None = ...) -> Tensor:
    r"""The real numbers from half of their Fourier transform, along the last two axes.

    Args:
        input_tensor: complex64[..., m, n // 2 + 1].
        fft_length: int32[2], the length of the transform: the input is cut or
            continued with zeros; by default [m, n] with an even n.
        name: the name of the node in a graph.
    Returns:
        float32[..., m, n]
    Raises:
        ValueError: the input has not so many axes.
        InvalidArgumentError (eager) or ValueError (graph): fft_length has another size.
    Example:
        tf.spectral.irfft(tf.constant([3, -1], tf.complex64))  # [1., 2.]
    """
def irfft3d(input_tensor: TensorValue, fft_length: Any = ..., name: str | None = ...) -> Tensor:
    r"""The real numbers from half of their Fourier transform, along the last three axes.

    Args:
        input_tensor: complex64[..., l, m, n // 2 + 1].
        fft_length: int32[3], the length of the transform: the input is cut or
            continued with zeros; by default [l, m, n] with an even n.
        name: the name of the node in a graph.
    Returns:
        float32[..., l, m, n]
    Raises:
        ValueError: the input has not so many axes.
        InvalidArgumentError (eager) or ValueError (graph): fft_length has another size.
    Example:
        tf.spectral.irfft(tf.constant([3, -1], tf.complex64))  # [1., 2.]
    """
from twinflow.ops.signal.dct import dct as dct
from twinflow.ops.signal.dct import idct as idct

__all__ = [
"fft", "fft2d", "fft3d", "ifft", "ifft2d", "ifft3d", "rfft", "rfft2d", "rfft3d",
"irfft", "irfft2d", "irfft3d", "dct", "idct"
]
