"""Whose random numbers a seeded program draws."""

import os

import numpy as np

_WORDS = {"tensorflow": True, "twin": False}


class Setting:
    """The choice for ops that are made from now on.

    Attributes:
        original: True = the numbers of TensorFlow 1.12 for the same program; False =
            numbers that graphs and eager execution share.
        entropy: an int for what has no seed, another each time.
    """

    original = False

    @staticmethod
    def entropy() -> int:
        return int.from_bytes(os.urandom(7), "little")

    def follow_environment(self, default: str) -> None:
        """Choose by TWINFLOW_RANDOM: `tensorflow` or `twin`.

        Raises:
            ValueError: another word.
        """
        word = os.environ.get("TWINFLOW_RANDOM", default)
        if word not in _WORDS:
            raise ValueError(
                f"The environment variable TWINFLOW_RANDOM is {word!r}; expected "
                "'tensorflow' (the numbers of TensorFlow 1.12) or 'twin' (the same "
                "numbers in graphs and eagerly)."
            )
        self.original = _WORDS[word]

    def keras_seed(self, seed: int | None, below: int = 10**7) -> int | None:
        """The seed of a random function of tf.keras, which asks NumPy for one."""
        if seed is None and self.original:
            return int(np.random.randint(below))
        return seed


setting = Setting()
setting.follow_environment("twin")
