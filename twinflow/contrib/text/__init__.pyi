# Made by `make stubs` from the table of the index.
from twinflow.contrib.text.skip_grams import skip_gram_sample as skip_gram_sample
from twinflow.contrib.text.skip_grams import skip_gram_sample_with_text_vocab as skip_gram_sample_with_text_vocab

__all__ = [
"skip_gram_sample", "skip_gram_sample_with_text_vocab"
]
