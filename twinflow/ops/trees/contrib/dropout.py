"""Trees that are left out while others grow: Rashmi and Gilad-Bachrach, DART (2015)."""

import numpy as np

from twinflow.ops.random import original

_WORD = 32


def _draws(seed, count):
    """float64[count] in [0, 1), as TensorFlow draws them of a seed."""
    mask, zero = (1 << _WORD) - 1, 0
    key = seed & mask, (seed >> _WORD) & mask, zero, zero
    words = np.asarray(original.words(np, key, 0, 2 * count), np.uint64)
    return original.double(words[::2], words[1::2])


def dropped_trees(seed, chosen, count, keep_first):
    """The numbers of the trees that are left out.

    Args:
        seed: int. chosen: a LearningRateDropoutDrivenConfig. count: how many trees
            there are. keep_first: whether the first one, the bias, always counts.
    """
    first = 1 if keep_first else 0
    skipping = chosen.probability_of_skipping_dropout > 0
    draws = _draws(int(seed), count + 1)
    if skipping and draws[0] < chosen.probability_of_skipping_dropout:
        return []
    draws = draws[int(skipping) :]
    wanted = chosen.dropout_probability
    return [i for i in range(first, count) if draws[i - first] < wanted]


def reweighed(weights, dropped, new):
    """Make room for a new tree; its weight.

    Args:
        weights: of all trees, changed in place. dropped: the numbers of those that were
            left out. new: float, the weight of the new tree where none was.
    """
    if not dropped:
        return new
    count, total = len(dropped), sum(weights[i] for i in dropped)
    for i in dropped:
        weights[i] = weights[i] * count / (count + 1)
    return total / (count + 1)
