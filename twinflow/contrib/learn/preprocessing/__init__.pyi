# Made by `make stubs` from the table of the index.
from twinflow.contrib.learn.preprocessing.categorical import CategoricalProcessor as CategoricalProcessor
from twinflow.contrib.learn.preprocessing.text import ByteProcessor as ByteProcessor
from twinflow.contrib.learn.preprocessing.text import TOKENIZER_RE as TOKENIZER_RE
from twinflow.contrib.learn.preprocessing.text import VocabularyProcessor as VocabularyProcessor
from twinflow.contrib.learn.preprocessing.text import tokenizer as tokenizer
from twinflow.contrib.learn.preprocessing.vocabulary import CategoricalVocabulary as CategoricalVocabulary
from twinflow.contrib.learn.tables import setup_processor_data_feeder as setup_processor_data_feeder

__all__ = [
"CategoricalProcessor", "ByteProcessor", "TOKENIZER_RE", "VocabularyProcessor",
"tokenizer", "CategoricalVocabulary", "setup_processor_data_feeder"
]
