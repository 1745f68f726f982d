"""Random numbers that TensorFlow 1.12 draws from a seed one after another.

Reference: Salmon et al.: Parallel Random Numbers: As Easy as 1, 2, 3 (2011).
"""

import numpy as np

from twinflow.ops.random import original

_FIRST, _MOST = 64, 1 << 16  # words that are made at once
_ALL = 2**64 - 1
_FLOAT = np.dtype(np.float32)


class OneByOne:
    """A stream of numbers: the words of Philox of a seed, in their order.

    Args:
        seed: int64.
    """

    def __init__(self, seed: int) -> None:
        seed = int(seed)
        self._key = seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF, 0, 0
        self._words, self._at, self._block = np.zeros(0, np.uint32), 0, 0

    def _take(self, count: int) -> np.ndarray:
        while self._at + count > len(self._words):
            size = min(max(_FIRST, 2 * len(self._words), count), _MOST)
            more = original.words(np, self._key, self._block, 4 * (size // 4 + 1))
            self._block += len(more) // 4
            self._words = np.concatenate([self._words[self._at :], more])
            self._at = 0
        self._at += count
        return self._words[self._at - count : self._at]

    def fraction(self) -> np.float32:
        """A uniform number in [0, 1)."""
        return original.fractions(np, self._take(1), _FLOAT)[0]

    def fractions(self, count: int) -> np.ndarray:
        """float32[count], uniform in [0, 1)."""
        return original.fractions(np, self._take(count), _FLOAT)

    def below(self, end: int) -> int:
        """An integer in [0, end), all of them as likely."""
        left_out = 0 if end & (end - 1) == 0 else _ALL % end + 1
        while True:
            low, high = self._take(2).tolist()
            if (word := low | high << 32) >= left_out:
                return word % end
