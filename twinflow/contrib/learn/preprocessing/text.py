"""Documents as rows of numbers: of words, or of bytes."""

import pickle
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from twinflow.base import files
from twinflow.contrib.learn.preprocessing import saved
from twinflow.contrib.learn.preprocessing.vocabulary import CategoricalVocabulary

TOKENIZER_RE = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+(?=[A-Z])|[\'\w\-]+")


def tokenizer(iterator: Iterable[str]) -> Iterator[list[str]]:
    """The words of each document, one of CamelCase as several."""
    for document in iterator:
        yield TOKENIZER_RE.findall(document)


class ByteProcessor:
    """Documents as rows of the bytes of their UTF-8.

    Args:
        max_document_length: how long a row is: longer documents are cut, shorter ones
            filled up with zeros.
    Example:
        rows = tf.contrib.learn.preprocessing.ByteProcessor(4).transform(["abc"])
        list(rows)[0]  # [97, 98, 99, 0]
    """

    def __init__(self, max_document_length: int) -> None:
        self.max_document_length = max_document_length

    def fit(self, x: Any) -> "ByteProcessor":
        """Nothing: there is nothing to learn."""
        return self

    def fit_transform(self, x: Iterable[Any]) -> Iterator[np.ndarray]:
        """`transform`."""
        return self.transform(x)

    def reverse(self, x: Iterable[Any]) -> Iterator[str]:
        """The text of each row, without the zeros at its end."""
        for row in x:
            data = np.trim_zeros(np.asarray(row, np.uint8), trim="b").tobytes()
            yield data.decode("utf-8", errors="ignore")

    def transform(self, x: Iterable[Any]) -> Iterator[np.ndarray]:
        """Each document as uint8[max_document_length]."""
        for document in x:
            data = document.encode("utf-8") if isinstance(document, str) else document
            found = np.zeros(self.max_document_length, np.uint8)
            known = np.frombuffer(bytes(data)[: self.max_document_length], np.uint8)
            found[: len(known)] = known
            yield found


class VocabularyProcessor:
    """Documents as rows of the numbers of their words.

    Args:
        max_document_length: how long a row is: longer documents are cut, shorter ones
            filled up with zeros.
        min_frequency: words that come this often or less are unknown, number 0.
        vocabulary: a CategoricalVocabulary; one that is made by `fit` by default.
        tokenizer_fn: from an iterator of documents to one of their lists of words.
    Example:
        words = tf.contrib.learn.preprocessing.VocabularyProcessor(4)
        list(words.fit_transform(["a word and a word"]))[0]  # [1, 2, 3, 1]
    """

    def __init__(
        self, max_document_length: int, min_frequency: int = 0, vocabulary: Any = None,
        tokenizer_fn: Any = None,
    ) -> None:  # fmt: skip
        self.max_document_length = max_document_length
        self.min_frequency = min_frequency
        self.vocabulary_ = vocabulary or CategoricalVocabulary()
        self._tokenizer = tokenizer_fn or tokenizer

    def fit(
        self, raw_documents: Iterable[str], unused_y: Any = None
    ) -> "VocabularyProcessor":
        """Learn the words of documents; after that, others are unknown."""
        for words in self._tokenizer(raw_documents):
            for word in words:
                self.vocabulary_.add(word)
        if self.min_frequency > 0:
            self.vocabulary_.trim(self.min_frequency)
        self.vocabulary_.freeze()
        return self

    def fit_transform(
        self, raw_documents: Iterable[str], unused_y: Any = None
    ) -> Iterator[np.ndarray]:
        """`fit`, then `transform` of the same documents."""
        self.fit(raw_documents)
        return self.transform(raw_documents)

    def transform(self, raw_documents: Iterable[str]) -> Iterator[np.ndarray]:
        """Each document as int64[max_document_length]."""
        for words in self._tokenizer(raw_documents):
            row = np.zeros(self.max_document_length, np.int64)
            for i, word in enumerate(words[: self.max_document_length]):
                row[i] = self.vocabulary_.get(word)
            yield row

    def reverse(self, documents: Iterable[Any]) -> Iterator[str]:
        """The words of each row, with spaces between them."""
        for row in documents:
            yield " ".join(self.vocabulary_.reverse(number) for number in row)

    def save(self, filename: str) -> None:
        """Write all of it into a file, for `restore`."""
        with files.GFile(filename, "wb") as file:
            file.write(pickle.dumps(self))

    @classmethod
    def restore(cls, filename: str, safe_mode: bool | None = None) -> Any:
        """What `save` has written, here or under TensorFlow.

        Args:
            filename: the path. safe_mode: False = let the file name any function, as
                for a tokenizer of the program's own; see docs/files.md.
        Raises:
            ValueError: the file is damaged, holds something else, or asks for code.
        """
        with files.GFile(filename, "rb") as file:
            data = file.read()
        if saved.may_run_code(safe_mode):
            return pickle.loads(data)
        return cls(**saved.read(data, filename, tokenizer))
