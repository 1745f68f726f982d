# Made by `make stubs` from the table of the index.
from twinflow.contrib.seq2seq.loss import sequence_loss as sequence_loss
from twinflow.contrib.seq2seq.decoding import hardmax as hardmax
from twinflow.contrib.seq2seq.decoding import tile_batch as tile_batch
from twinflow.ops.nn.gather_tree import gather_tree as gather_tree
from twinflow.contrib.seq2seq.helper import Helper as Helper
from twinflow.contrib.seq2seq.helper import CustomHelper as CustomHelper
from twinflow.contrib.seq2seq.helper import TrainingHelper as TrainingHelper
from twinflow.contrib.seq2seq.helper_scheduled import ScheduledEmbeddingTrainingHelper as ScheduledEmbeddingTrainingHelper
from twinflow.contrib.seq2seq.helper_scheduled import ScheduledOutputTrainingHelper as ScheduledOutputTrainingHelper
from twinflow.contrib.seq2seq.helper_inference import GreedyEmbeddingHelper as GreedyEmbeddingHelper
from twinflow.contrib.seq2seq.helper_inference import SampleEmbeddingHelper as SampleEmbeddingHelper
from twinflow.contrib.seq2seq.helper_inference import InferenceHelper as InferenceHelper
from twinflow.contrib.seq2seq.decoder import Decoder as Decoder
from twinflow.contrib.seq2seq.decoder import dynamic_decode as dynamic_decode
from twinflow.contrib.seq2seq.basic_decoder import BasicDecoder as BasicDecoder
from twinflow.contrib.seq2seq.basic_decoder import BasicDecoderOutput as BasicDecoderOutput
from twinflow.contrib.seq2seq.attention import AttentionMechanism as AttentionMechanism
from twinflow.contrib.seq2seq.attention import BahdanauAttention as BahdanauAttention
from twinflow.contrib.seq2seq.attention import LuongAttention as LuongAttention
from twinflow.contrib.seq2seq.attention_monotonic import BahdanauMonotonicAttention as BahdanauMonotonicAttention
from twinflow.contrib.seq2seq.attention_monotonic import LuongMonotonicAttention as LuongMonotonicAttention
from twinflow.contrib.seq2seq.attention_monotonic import monotonic_attention as monotonic_attention
from twinflow.contrib.seq2seq.attention_monotonic import safe_cumprod as safe_cumprod
from twinflow.contrib.seq2seq.attention_wrapper import AttentionWrapper as AttentionWrapper
from twinflow.contrib.seq2seq.attention_wrapper import AttentionWrapperState as AttentionWrapperState
from twinflow.contrib.seq2seq.beam_search import BeamSearchDecoder as BeamSearchDecoder
from twinflow.contrib.seq2seq.beam_search import FinalBeamSearchDecoderOutput as FinalBeamSearchDecoderOutput
from twinflow.contrib.seq2seq.beam_search_step import BeamSearchDecoderOutput as BeamSearchDecoderOutput
from twinflow.contrib.seq2seq.beam_search_step import BeamSearchDecoderState as BeamSearchDecoderState

__all__ = [
"sequence_loss", "hardmax", "tile_batch", "gather_tree", "Helper", "CustomHelper",
"TrainingHelper", "ScheduledEmbeddingTrainingHelper", "ScheduledOutputTrainingHelper",
"GreedyEmbeddingHelper", "SampleEmbeddingHelper", "InferenceHelper", "Decoder",
"dynamic_decode", "BasicDecoder", "BasicDecoderOutput", "AttentionMechanism",
"BahdanauAttention", "LuongAttention", "BahdanauMonotonicAttention",
"LuongMonotonicAttention", "monotonic_attention", "safe_cumprod", "AttentionWrapper",
"AttentionWrapperState", "BeamSearchDecoder", "FinalBeamSearchDecoderOutput",
"BeamSearchDecoderOutput", "BeamSearchDecoderState"
]
