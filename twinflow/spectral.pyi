# Made by `make stubs` from the table of the index.
from twinflow.ops.signal.fourier import fft as fft
from twinflow.ops.signal.fourier import fft2d as fft2d
from twinflow.ops.signal.fourier import fft3d as fft3d
from twinflow.ops.signal.fourier import ifft as ifft
from twinflow.ops.signal.fourier import ifft2d as ifft2d
from twinflow.ops.signal.fourier import ifft3d as ifft3d
from twinflow.ops.signal.fourier_real import rfft as rfft
from twinflow.ops.signal.fourier_real import rfft2d as rfft2d
from twinflow.ops.signal.fourier_real import rfft3d as rfft3d
from twinflow.ops.signal.fourier_real import irfft as irfft
from twinflow.ops.signal.fourier_real import irfft2d as irfft2d
from twinflow.ops.signal.fourier_real import irfft3d as irfft3d
from twinflow.ops.signal.dct import dct as dct
from twinflow.ops.signal.dct import idct as idct

__all__ = [
"fft", "fft2d", "fft3d", "ifft", "ifft2d", "ifft3d", "rfft", "rfft2d", "rfft3d",
"irfft", "irfft2d", "irfft3d", "dct", "idct"
]
