"""tf.contrib.signal: frames, windows and spectra of signals."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.signal: frame overlap_and_add hann_window hamming_window stft inverse_stft
twinflow.ops.signal: inverse_stft_window_fn linear_to_mel_weight_matrix
twinflow.ops.signal: mfccs_from_log_mel_spectrograms
""",
)
