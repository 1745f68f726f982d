"""tf.contrib.signal: frames, windows and spectra of signals."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.signal.frames: frame overlap_and_add hann_window hamming_window stft
twinflow.ops.signal.frames: inverse_stft
twinflow.ops.signal.frames: inverse_stft_window_fn linear_to_mel_weight_matrix
twinflow.ops.signal.frames: mfccs_from_log_mel_spectrograms
""",
)
