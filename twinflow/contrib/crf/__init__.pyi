# Made by `make stubs` from the table of the index.
from twinflow.contrib.crf.cells import CrfDecodeBackwardRnnCell as CrfDecodeBackwardRnnCell
from twinflow.contrib.crf.cells import CrfDecodeForwardRnnCell as CrfDecodeForwardRnnCell
from twinflow.contrib.crf.cells import CrfForwardRnnCell as CrfForwardRnnCell
from twinflow.contrib.crf.chains import crf_binary_score as crf_binary_score
from twinflow.contrib.crf.chains import crf_decode as crf_decode
from twinflow.contrib.crf.chains import crf_log_likelihood as crf_log_likelihood
from twinflow.contrib.crf.chains import crf_log_norm as crf_log_norm
from twinflow.contrib.crf.chains import crf_multitag_sequence_score as crf_multitag_sequence_score
from twinflow.contrib.crf.chains import crf_sequence_score as crf_sequence_score
from twinflow.contrib.crf.chains import crf_unary_score as crf_unary_score
from twinflow.contrib.crf.chains import viterbi_decode as viterbi_decode

__all__ = [
"CrfDecodeBackwardRnnCell", "CrfDecodeForwardRnnCell", "CrfForwardRnnCell",
"crf_binary_score", "crf_decode", "crf_log_likelihood", "crf_log_norm",
"crf_multitag_sequence_score", "crf_sequence_score", "crf_unary_score", "viterbi_decode"
]
