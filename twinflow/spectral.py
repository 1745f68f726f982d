"""tf.spectral: Fourier and cosine transforms."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.signal.fourier: fft fft2d fft3d ifft ifft2d ifft3d
twinflow.ops.signal.fourier_real: rfft rfft2d rfft3d irfft irfft2d irfft3d
twinflow.ops.signal.dct: dct idct
""",
)
