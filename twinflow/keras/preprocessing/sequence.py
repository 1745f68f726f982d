"""tf.keras.preprocessing.sequence."""

import random
from typing import Any

import numpy as np

from twinflow.base.annotations import Array, DTypeValue
from twinflow.keras.utils.data_sequence import Sequence


def pad_sequences(
    sequences: Any, maxlen: Any = None, dtype: DTypeValue = "int32",
    padding: str = "pre", truncating: str = "pre", value: Any = 0.0,
) -> Array:  # fmt: skip
    """Lists of different lengths as one array.

    Args:
        sequences: a list of lists. maxlen: the length; that of the longest by default.
        dtype: of the array. padding, truncating: "pre" or "post": at which end.
        value: what is put in.
    Returns:
        dtype[len(sequences), maxlen, ...]
    Raises:
        ValueError: something is no list, or has another shape than the others.
    Example:
        pad_sequences = tf.keras.preprocessing.sequence.pad_sequences
        pad_sequences([[1, 2], [3]])  # [[1, 2], [0, 3]]
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    for s in sequences:
        if not hasattr(s, "__len__"):
            raise ValueError(
                f"`sequences` must be a list of iterables. Found non-iterable: {s}"
            )
    for name, side in (("Truncating", truncating), ("Padding", padding)):
        if side not in ("pre", "post"):
            raise ValueError(f'{name} type "{side}" not understood')
    if maxlen is None:
        maxlen = max((len(s) for s in sequences), default=0)
    rest = next((np.asarray(s).shape[1:] for s in sequences if len(s)), ())
    found = np.full((len(sequences), maxlen, *rest), value, dtype=dtype)
    for row, s in zip(found, sequences, strict=True):
        if not len(s):
            continue
        part = s[max(len(s) - maxlen, 0) :] if truncating == "pre" else s[:maxlen]
        part = np.asarray(part, dtype=dtype)
        if part.shape[1:] != rest:
            raise ValueError(
                f"Shape of sample {part.shape[1:]} of sequence is different from "
                f"expected shape {rest}"
            )
        if padding == "post":
            row[: len(part)] = part
        elif len(part):
            row[-len(part) :] = part
    return found


def make_sampling_table(size: Any, sampling_factor: float = 1e-5) -> Array:
    """How likely each rank of words is kept for skipgrams, by Zipf's law.

    Args:
        size: the number of words. sampling_factor: as in word2vec.
    Returns:
        float64[size]
    """
    rank = np.arange(size)
    rank[:1] = 1
    inverse = rank * (np.log(rank) + 0.577) + 0.5 - 1.0 / (12.0 * rank)
    f = sampling_factor * inverse
    return np.minimum(1.0, f / np.sqrt(f))


def skipgrams(
    sequence: Any, vocabulary_size: Any, window_size: int = 4,
    negative_samples: float = 1.0, shuffle: bool = True, categorical: bool = False,
    sampling_table: Any = None, seed: int | None = None,
) -> tuple[list[Any], ...]:  # fmt: skip
    """Pairs of words: near each other (label 1), and by chance (label 0).

    Args:
        sequence: numbers of words; 0 is no word. vocabulary_size: of words, and 1.
        window_size: how far apart at most. negative_samples: by chance for each pair.
        shuffle: whether to mix them. categorical: labels [0, 1] and [1, 0].
        sampling_table: see make_sampling_table. seed: for mixing.
    Returns:
        (a list of [word, other], a list of labels)
    """
    couples, labels = [], []
    for i, word in enumerate(sequence):
        if not word:
            continue
        if sampling_table is not None and sampling_table[word] < random.random():
            continue
        start, stop = max(0, i - window_size), min(len(sequence), i + window_size + 1)
        for j in range(start, stop):
            if j != i and sequence[j]:
                couples.append([word, sequence[j]])
                labels.append([0, 1] if categorical else 1)
    if negative_samples > 0:
        words = [c[0] for c in couples]
        random.shuffle(words)
        count = int(len(labels) * negative_samples)
        couples += [
            [words[i % len(words)], random.randint(1, vocabulary_size - 1)]
            for i in range(count)
        ]
        labels += [[1, 0] if categorical else 0] * count
    if shuffle:
        order = list(range(len(couples)))
        random.Random(random.randint(0, 10**6) if seed is None else seed).shuffle(order)
        couples, labels = [couples[i] for i in order], [labels[i] for i in order]
    return couples, labels


class TimeseriesGenerator(Sequence):
    """Batches of windows of a series, with what comes at the end of each.

    Args:
        data: [steps, ...]. targets: [steps, ...]. length: of a window.
        sampling_rate: every how many steps of a window. stride: between windows.
        start_index, end_index: the part to use. shuffle: windows by chance.
        reverse: each window backwards. batch_size: of windows.
    Raises:
        ValueError: the lengths differ, or there is no window.
    Example:
        x = np.arange(6)
        pairs = tf.keras.preprocessing.sequence.TimeseriesGenerator(
            x, x, length=2, batch_size=2)
        inputs, targets = pairs[0]
        inputs  # [[0, 1], [1, 2]]
        targets  # [2, 3]
    """

    def __init__(
        self, data: Any, targets: Any, length: Any, sampling_rate: int = 1,
        stride: int = 1, start_index: int = 0, end_index: Any = None,
        shuffle: bool = False, reverse: bool = False, batch_size: int = 128,
    ) -> None:  # fmt: skip
        if len(data) != len(targets):
            raise ValueError(
                "Data and targets have to be of same length. Data length is "
                f"{len(data)} while target length is {len(targets)}"
            )
        self.data, self.targets, self.length = data, targets, length
        self.sampling_rate, self.stride = sampling_rate, stride
        self.start_index = start_index + length
        self.end_index = len(data) - 1 if end_index is None else end_index
        self.shuffle, self.reverse, self.batch_size = shuffle, reverse, batch_size
        if self.start_index > self.end_index:
            raise ValueError(
                f"`start_index+length={self.start_index} > end_index={self.end_index}` "
                "is disallowed, as no part of the sequence would be left to be used as "
                "current step."
            )

    def __len__(self):
        count = self.end_index - self.start_index
        return (count + self.batch_size * self.stride) // (
            self.batch_size * self.stride
        )

    def __getitem__(self, index):
        if self.shuffle:
            rows = np.random.randint(
                self.start_index, self.end_index + 1, size=self.batch_size
            )
        else:
            first = self.start_index + self.batch_size * self.stride * index
            last = min(first + self.batch_size * self.stride, self.end_index + 1)
            rows = np.arange(first, last, self.stride)
        step = self.sampling_rate
        samples = np.array([self.data[r - self.length : r : step] for r in rows])
        targets = np.array([self.targets[r] for r in rows])
        return (samples[:, ::-1, ...] if self.reverse else samples), targets

    def get_config(self) -> dict[Any, Any]:
        """The settings and the data, as plain values."""
        plain = [np.asarray(x).tolist() for x in (self.data, self.targets)]
        names = ("length", "sampling_rate", "stride", "start_index", "end_index")
        names += ("shuffle", "reverse", "batch_size")
        facts = {name: getattr(self, name) for name in names}
        return {"data": plain[0], "targets": plain[1], **facts}
