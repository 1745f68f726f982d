"""tf.keras.preprocessing.text."""

import hashlib
import json
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.base.annotations import Array
from twinflow.base.damage import reported

_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(
    text: str, filters: str = _FILTERS, lower: bool = True, split: str = " "
) -> list[Any]:
    """The words of a text.

    Args:
        text: a str. filters: characters that are taken for gaps.
        lower: whether to write it small. split: what lies between words.
    Example:
        split = tf.keras.preprocessing.text.text_to_word_sequence
        split("One, two!")  # ["one", "two"]
    """
    text = text.lower() if lower else text
    text = text.translate(str.maketrans(dict.fromkeys(filters, split)))
    return [word for word in text.split(split) if word]


def one_hot(
    text: Any, n: Any, filters: Any = _FILTERS, lower: Any = True, split: str = " "
) -> Any:
    """The words as numbers in [1, n), by Python's hash: see hashing_trick."""
    return hashing_trick(text, n, hash, filters, lower, split)


def hashing_trick(
    text: str, n: Any, hash_function: Any = None, filters: str = _FILTERS,
    lower: bool = True, split: str = " ",
) -> list[Any]:  # fmt: skip
    """The words as numbers in [1, n); two words may get the same.

    Args:
        n: how many numbers there are. hash_function: of a word; Python's `hash` by
            default, which differs from run to run; "md5" does not.
        filters, lower, split: see text_to_word_sequence.
    """
    if hash_function is None:
        hash_function = hash
    elif hash_function == "md5":

        def hash_function(word):
            return int(hashlib.md5(word.encode()).hexdigest(), 16)

    words = text_to_word_sequence(text, filters, lower, split)
    return [int(hash_function(w) % (n - 1) + 1) for w in words]


class Tokenizer:
    """Gives words numbers, the most frequent first; 0 is no word.

    Args:
        num_words: only the `num_words - 1` most frequent ones are used.
        filters, lower, split: see text_to_word_sequence.
        char_level: whether characters are the words.
        oov_token: what stands for words that are not known; None = they are left out.
        document_count: of texts seen before.
    Example:
        tokenizer = tf.keras.preprocessing.text.Tokenizer()
        tokenizer.fit_on_texts(["a b", "b"])
        tokenizer.texts_to_sequences(["b a"])  # [[1, 2]]
    """

    index_word: dict[Any, Any]
    word_index: dict[Any, Any]

    def __init__(
        self, num_words: Any = None, filters: str = _FILTERS, lower: bool = True,
        split: str = " ", char_level: bool = False, oov_token: str | None = None,
        document_count: int = 0, **kwargs: Any,
    ) -> None:  # fmt: skip
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self.num_words, self.filters, self.lower = num_words, filters, lower
        self.split, self.char_level, self.oov_token = split, char_level, oov_token
        self.document_count = document_count
        self.word_counts: OrderedDict[Any, Any] = OrderedDict()
        self.word_docs: defaultdict[Any, Any] = defaultdict(int)
        self.index_docs: defaultdict[Any, Any] = defaultdict(int)
        self.word_index, self.index_word = {}, {}

    def _words(self, text):
        if not self.char_level and not isinstance(text, list):
            return text_to_word_sequence(text, self.filters, self.lower, self.split)
        if not self.lower:
            return text
        return [w.lower() for w in text] if isinstance(text, list) else text.lower()

    def fit_on_texts(self, texts: Any) -> None:
        """Count the words of texts, and number them anew."""
        for text in texts:
            self.document_count += 1
            words = self._words(text)
            for w in words:
                self.word_counts[w] = self.word_counts.get(w, 0) + 1
            for w in set(words):
                self.word_docs[w] += 1
        ranked = sorted(self.word_counts.items(), key=lambda pair: -pair[1])
        every = [] if self.oov_token is None else [self.oov_token]
        every += [word for word, _ in ranked]
        self.word_index = {w: i + 1 for i, w in enumerate(every)}
        self.index_word = {i: w for w, i in self.word_index.items()}
        for w, count in self.word_docs.items():
            self.index_docs[self.word_index[w]] = count

    def fit_on_sequences(self, sequences: Any) -> None:
        """Count the numbers of lists, for sequences_to_matrix."""
        self.document_count += len(sequences)
        for s in sequences:
            for i in set(s):
                self.index_docs[i] += 1

    def texts_to_sequences(self, texts: Any) -> list[list[Any]]:
        """A list of numbers for each text."""
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts: Any) -> Iterator[list[int]]:
        """The same, one after the other."""
        unknown = self.word_index.get(self.oov_token)
        for text in texts:
            found = [self.word_index.get(w, unknown) for w in self._words(text)]
            yield [i for i in (self._kept(i, unknown) for i in found) if i is not None]

    def _kept(self, i, unknown):
        rare = i is not None and self.num_words and i >= self.num_words
        return unknown if rare else i

    def sequences_to_texts(self, sequences: Any) -> list[str]:
        """The words of lists of numbers, with blanks between."""
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences: Any) -> Iterator[str]:
        """The same, one after the other."""
        unknown = self.word_index.get(self.oov_token)
        for s in sequences:
            known = [i if i in self.index_word else unknown for i in s]
            kept = [self._kept(i, unknown) for i in known]
            yield " ".join(self.index_word[i] for i in kept if i is not None)

    def texts_to_matrix(self, texts: Any, mode: str = "binary") -> Array:
        """A row for each text; see sequences_to_matrix."""
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode)

    def sequences_to_matrix(self, sequences: Any, mode: str = "binary") -> Array:
        """A row for each list of numbers.

        Args:
            mode: "binary" (whether the word is there), "count", "freq", or "tfidf".
        Returns:
            float64[len(sequences), words]
        Raises:
            ValueError: the words were not counted, or the mode is not known.
        """
        if not self.num_words and not self.word_index:
            raise ValueError(
                "Specify a dimension (`num_words` argument), or fit on some text data "
                "first."
            )
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        found = np.zeros((len(sequences), self.num_words or len(self.word_index) + 1))
        for row, s in zip(found, sequences, strict=True):
            for i, count in Counter(s).items():
                if i < len(row):
                    row[i] = self._weight(mode, i, count, len(s))
        return found

    def _weight(self, mode, i, count, total):
        if mode == "count":
            return count
        if mode == "freq":
            return count / total
        if mode == "binary":
            return 1
        if mode == "tfidf":
            documents = 1 + self.document_count / (1 + self.index_docs.get(i, 0))
            return (1 + np.log(count)) * np.log(documents)
        raise ValueError("Unknown vectorization mode:", mode)

    def get_config(self) -> dict[str, Any]:
        """The settings and the counts, as plain values."""
        names = ("word_counts", "word_docs", "index_docs", "index_word", "word_index")
        facts = ("num_words", "filters", "lower", "split", "char_level", "oov_token")
        found = {name: getattr(self, name) for name in (*facts, "document_count")}
        return found | {name: json.dumps(getattr(self, name)) for name in names}

    def to_json(self, **kwargs: Any) -> str:
        """The settings and the counts as a JSON text; see tokenizer_from_json."""
        config = {"class_name": type(self).__name__, "config": self.get_config()}
        return json.dumps(config, **kwargs)


def tokenizer_from_json(json_string: str) -> Tokenizer:
    """A Tokenizer from what `to_json` gave.

    Raises:
        ValueError: it is no such text.
    """
    with reported("the settings of the Tokenizer"):
        return _tokenizer(json.loads(json_string)["config"])


def _tokenizer(config):
    names = ("word_counts", "word_docs", "index_docs", "index_word", "word_index")
    counts = {name: json.loads(config.pop(name)) for name in names}
    found = Tokenizer(**config)
    found.word_counts = OrderedDict(counts["word_counts"])
    found.word_docs.update(counts["word_docs"])
    found.index_docs.update({int(k): v for k, v in counts["index_docs"].items()})
    found.index_word = {int(k): v for k, v in counts["index_word"].items()}
    found.word_index = counts["word_index"]
    return found
