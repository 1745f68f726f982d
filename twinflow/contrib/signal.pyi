# Made by `make stubs` from the table of the index.
from twinflow.ops.signal.frames import frame as frame
from twinflow.ops.signal.frames import overlap_and_add as overlap_and_add
from twinflow.ops.signal.frames import hann_window as hann_window
from twinflow.ops.signal.frames import hamming_window as hamming_window
from twinflow.ops.signal.frames import stft as stft
from twinflow.ops.signal.frames import inverse_stft as inverse_stft
from twinflow.ops.signal.frames import inverse_stft_window_fn as inverse_stft_window_fn
from twinflow.ops.signal.frames import linear_to_mel_weight_matrix as linear_to_mel_weight_matrix
from twinflow.ops.signal.frames import mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms

__all__ = [
"frame", "overlap_and_add", "hann_window", "hamming_window", "stft", "inverse_stft",
"inverse_stft_window_fn", "linear_to_mel_weight_matrix",
"mfccs_from_log_mel_spectrograms"
]
