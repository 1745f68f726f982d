"""The ops that collect statistics of leaves, and let trees grow by them."""

import os

import numpy as np

from twinflow.base import errors
from twinflow.formats.decision_protos import forest
from twinflow.ops.core.infer import scalar
from twinflow.ops.core.versions import nothing
from twinflow.ops.random.philox_words import words
from twinflow.ops.strings.arrays import filled
from twinflow.ops.trees.contrib.stamped import define_handle, define_stateful, locked
from twinflow.ops.trees.forest.classification import ClassSlots
from twinflow.ops.trees.forest.examples import Examples, Targets
from twinflow.ops.trees.forest.model_ops import create, deserialize, infer_put
from twinflow.ops.trees.forest.regression import NumberSlots
from twinflow.ops.trees.forest.settings import LEAST_SQUARES, parsed, settings_of
from twinflow.ops.trees.forest.trees import ForestCell

_ALL = 2**32 - 1


class StatsCell(ForestCell):
    """The leaves of a tree that may still split."""

    __slots__ = ("slots",)
    kind = "N10tensorflow12tensorforest20FertileStatsResourceE"

    def put(self, settings, serialized):
        """Replace them."""
        stats = parsed(forest.FertileStats(), serialized, "stats")
        numbers = settings.stats_type == LEAST_SQUARES
        slots = (NumberSlots if numbers else ClassSlots)(settings)
        slots.put(stats)
        with self.lock:
            self.settings, self.slots = settings, slots


FertileStatsResourceHandleOp = define_handle("FertileStatsResourceHandleOp", StatsCell)
FertileStatsIsInitializedOp = define_stateful(
    "FertileStatsIsInitializedOp", scalar, lambda cell: np.bool_(cell.initialized)
)


@locked
def _serialize(cell, params):
    return filled([cell.ready().slots.proto().SerializeToString()], ())


CreateFertileStatsVariable = define_stateful(
    "CreateFertileStatsVariable", infer_put, create
)
FertileStatsDeserialize = define_stateful(
    "FertileStatsDeserialize", infer_put, deserialize
)
FertileStatsSerialize = define_stateful("FertileStatsSerialize", scalar, _serialize)


def drawer(seed):
    """A function that gives random ints below a bound, those of 1.12 for a seed.

    Args:
        seed: int; 0 for one of the operating system.
    """
    found = words(seed or int.from_bytes(os.urandom(8), "little"), 0)

    def draw(bound):
        if bound & (bound - 1) == 0:
            return next(found) & (bound - 1)
        left_out = _ALL % bound + 1
        while True:
            if (word := next(found)) >= left_out:
                return word % bound

    return draw


def _process(tree, stats, *inputs, random_seed, input_spec, params):
    *data, labels, weights, leaf_ids = inputs
    examples, targets = Examples(input_spec, *data), Targets(labels, weights)
    with stats.lock, tree.lock:
        tree.ready()
        found = stats.ready().slots.process(
            examples, targets, np.ravel(leaf_ids), drawer(random_seed)
        )
    return np.array(found, np.int32)


def _grow(tree, stats, finished, params):
    most = settings_of(params).max_nodes
    with stats.lock, tree.lock:
        slots = stats.ready().slots
        for node in np.ravel(finished).tolist():
            if tree.ready().size >= most:
                break
            depth = int(slots.depth[slots.rows_of(np.array([node]))[0]])
            best = slots.best(node)
            if best is None:
                slots.allocate(node, depth)
                continue
            for child in tree.split(node, best):
                slots.allocate(child, depth + 1)
            slots.release(node)
    return ()


def _finalize(tree, stats, params):
    raise errors.UnimplementedError(
        None, None,
        "FinalizeTreeOp is disabled for now: TensorFlow 1.12 ends there. Leaves have "
        "their values without it.",
    )  # fmt: skip


ProcessInputV4 = define_stateful(
    "ProcessInputV4", lambda *inputs, **attrs: (None,), _process
)
GrowTreeV4 = define_stateful("GrowTreeV4", nothing, _grow)
FinalizeTree = define_stateful("FinalizeTree", nothing, _finalize)
