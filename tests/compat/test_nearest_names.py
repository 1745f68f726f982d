"""What is offered for a name that is not there: one that can be used."""

import random
import re

from tests.support.coverage import symbols
from twinflow.base import unsupported
from twinflow.compat.door import resolve


def _misspelt(word, rng):
    i = rng.randrange(1, len(word) - 1)
    return rng.choice([
        word[:i] + word[i + 1 :], word[:i] + word[i] + word[i:],
        word[:i] + word[i + 1] + word[i] + word[i + 2 :],
    ])  # fmt: skip


def test_the_nearest_name_is_one_that_can_be_used():
    rng, offered = random.Random(0), 0
    for symbol in rng.sample(list(symbols()), 300):
        outer, _, last = symbol.path.rpartition(".")
        wrong = _misspelt(last, rng) if len(last) > 3 else last
        found = re.search(r"Did you mean tensorflow\.(.*)\?", resolve.why(outer, wrong))
        if found:
            offered += 1
            assert not unsupported.group_of_symbol(found[1]), found[1]
            resolve.attribute(*found[1].rpartition(".")[::2])
    assert offered > 150


def test_what_is_offered():
    assert resolve.why("nn", "conv2").endswith("Did you mean tensorflow.nn.conv2d?")
    for refused in "load_op_librar", "contrib.tensorr", "no_such_thing":
        assert "mean" not in resolve.why(*refused.rpartition(".")[::2])
