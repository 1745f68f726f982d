"""tf.contrib.input_pipeline: the elements of a list of strings, one after the other."""

import random
from typing import Any

import numpy as np

from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import control_dependencies
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.division import mod
from twinflow.ops.core.index import gather
from twinflow.ops.core.size import size
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.state import assign
from twinflow.train.producers import limit_epochs


def obtain_next(string_list_tensor: Any, counter: Any) -> Tensor:
    """The element behind the one before, and the first behind the last.

    Args:
        string_list_tensor: string[n]. counter: an int64 scalar variable, which is
            counted up; it begins with -1.
    Returns:
        string scalar
    """
    strings = convert_to_tensor(string_list_tensor)
    count = mod(counter + np.int64(1), cast(size(strings), "int64"))
    return gather(strings, assign(counter, count))


def seek_next(
    string_list: list[Any],
    shuffle: bool = False,
    seed: Any = None,
    num_epochs: Any = None,
) -> Tensor:
    """Each element of a list of strings in its turn.

    Args:
        string_list: str[n]. shuffle: in another order in each epoch.
        seed: of that order. num_epochs: how often; without end by default. The count of
            these is a local variable.
    Returns:
        string scalar
    Raises:
        tf.errors.OutOfRangeError: when it is run, the last epoch is over.
    """
    drawn = random.Random(seed) if seed else random
    order: list = []
    for _ in range(num_epochs or 1):
        part = list(string_list)
        if shuffle:
            drawn.shuffle(part)
        order += part
    counter = Variable(np.int64(-1), trainable=False, name="obtain_next_counter")
    if not num_epochs:
        return obtain_next(order, counter)
    with control_dependencies([limit_epochs(np.int64(0), len(order))]):
        return obtain_next(order, counter)


__all__ = ["obtain_next", "seek_next"]
