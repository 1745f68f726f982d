"""Pruning: which weights become 0, and when.

Reference: Zhu and Gupta, To prune, or not to prune (2017).
"""

from typing import Any

from twinflow.base import logging
from twinflow.base.dtypes import float32, int32
from twinflow.contrib.model_pruning import blocks
from twinflow.contrib.model_pruning.masks import (
    get_masks,
    get_thresholds,
    get_weights,
)
from twinflow.contrib.training.hparam import HParams
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group, name_scope
from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.compare import greater, greater_equal, less, logical_and
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import maximum, minimum
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_max, reduce_sum
from twinflow.ops.core.shape import reshape, squeeze
from twinflow.ops.nn.dropout import zero_fraction
from twinflow.ops.random.initializers_plain import Zeros
from twinflow.ops.variables.state import assign
from twinflow.summary.summaries import scalar
from twinflow.train.training_util import get_or_create_global_step

_POOLS = "AVG", "MAX"


def get_pruning_hparams() -> HParams:
    """The settings of a Pruning.

    name: of the scope. begin_pruning_step, end_pruning_step (-1 = never),
    pruning_frequency: when masks move. threshold_decay: how slowly thresholds follow.
    block_height, block_width, block_pooling_function: of what is pruned together.
    initial_sparsity, target_sparsity, sparsity_function_begin_step,
    sparsity_function_end_step, sparsity_function_exponent: how the part of zeros grows.
    weight_sparsity_map: a list of "part of a name:target". nbins: of the histograms.
    """
    return HParams(
        name="model_pruning", begin_pruning_step=0, end_pruning_step=-1,
        weight_sparsity_map=[""], threshold_decay=0.9, pruning_frequency=10, nbins=256,
        block_height=1, block_width=1, block_pooling_function="AVG",
        initial_sparsity=0.0, target_sparsity=0.5, sparsity_function_begin_step=0,
        sparsity_function_end_step=100, sparsity_function_exponent=3.0, use_tpu=False,
    )  # fmt: skip


class Pruning:
    """Moves the masks of a graph as its training goes on.

    Args:
        spec: what get_pruning_hparams gives, with changes. global_step: the step; that
            of the graph if None. sparsity: how much is to be 0, in place of what
            the settings say.
    Raises:
        ValueError: a setting is out of its range.
    Example:
        y = tf.contrib.model_pruning.masked_fully_connected(tf.ones([1, 4]), 2)
        pruning = tf.contrib.model_pruning.Pruning(
            tf.contrib.model_pruning.get_pruning_hparams().parse("pruning_frequency=1"))
        pruning.conditional_mask_update_op()  # run it after each training step
    """

    def __init__(
        self, spec: Any = None, global_step: Any = None, sparsity: Any = None
    ) -> None:
        self._spec = spec if spec else get_pruning_hparams()
        _validate_spec(self._spec)
        step = get_or_create_global_step() if global_step is None else global_step
        self._global_step = cast(step, int32)
        self._sparsity = self._setup_sparsity() if sparsity is None else sparsity
        with variable_scope(self._spec.name):
            self._last_update_step = get_variable(
                "last_mask_update_step", [], int32, Zeros(), trainable=False
            )
        self._weight_sparsity_map = _targets(self._spec.weight_sparsity_map)
        self._assign_ops: list[Any] = []

    def _setup_sparsity(self):
        spec = self._spec
        begin, end = spec.sparsity_function_begin_step, spec.sparsity_function_end_step
        with name_scope(spec.name):
            gone = cast(self._global_step - begin, float32) / float(end - begin)
            left = 1.0 - minimum(1.0, maximum(0.0, gone))
            first, last = float(spec.initial_sparsity), float(spec.target_sparsity)
            return (first - last) * left**spec.sparsity_function_exponent + last

    def _get_sparsity(self, weight_name):
        """How much of a weight is to be 0."""
        found = [
            t for name, t in self._weight_sparsity_map.items() if name in weight_name
        ]
        if not found:
            return self._sparsity
        if len(found) > 1:
            raise ValueError(
                f"Multiple matches in weight_sparsity_map for weight {weight_name}"
            )
        return self._sparsity * (found[0] / self._spec.target_sparsity)

    def _update_mask(self, weights, threshold, values=None):
        """(the next threshold, the mask of what is above it).

        Args:
            values: what is compared; the weights if None.
        """
        if self._sparsity is None:
            raise ValueError("Sparsity variable undefined")
        values = convert_to_tensor(weights) if values is None else values
        spec, size = self._spec, abs(values)
        sparsity = self._get_sparsity(weights.op.name)
        with name_scope(f"{weights.op.name}_pruning_ops"):
            largest = reduce_max(size)
            parts = blocks.compute_cdf(size, [0.0, largest], nbins=spec.nbins)
            below = reduce_sum(cast(less(parts, sparsity), float32))
            wanted = below * (largest / spec.nbins)
            decay = spec.threshold_decay
            smooth = convert_to_tensor(threshold) * decay + wanted * (1.0 - decay)
            return smooth, cast(greater(size, smooth), size.dtype)

    def _maybe_update_block_mask(self, weights, threshold):
        """As _update_mask, of blocks where these are asked for."""
        spec, kernel = self._spec, convert_to_tensor(weights)
        block = [spec.block_height, spec.block_width]
        flat = squeeze(kernel)
        if flat.shape.ndims != 2 or block == [1, 1]:
            return self._update_mask(weights, threshold)
        if spec.block_pooling_function not in _POOLS:
            raise ValueError(
                "Unknown pooling function for block sparsity: "
                f"{spec.block_pooling_function}"
            )
        with name_scope(f"{weights.op.name}_pruning_ops"):
            pooled = blocks.factorized_pool(
                abs(flat), block, spec.block_pooling_function, block, "SAME"
            )
            smooth, mask = self._update_mask(weights, threshold, pooled)
            wide = blocks.expand_tensor(mask, block)
            rows, columns = flat.shape.as_list()
            return smooth, reshape(wide[:rows, :columns], kernel.shape.as_list())

    def _get_mask_assign_ops(self):
        if self._assign_ops:
            raise ValueError(
                "Assign op list not empty. _get_mask_assign_ops() called twice?"
            )
        masks, thresholds, weights = get_masks(), get_thresholds(), get_weights()
        if len(masks) != len(thresholds):
            raise ValueError(
                f"Number of masks {len(masks)} and number of thresholds "
                f"{len(thresholds)} mismatch"
            )
        for mask, threshold, weight in zip(masks, thresholds, weights, strict=True):
            new_threshold, new_mask = self._maybe_update_block_mask(weight, threshold)
            for variable, value in (threshold, new_threshold), (mask, new_mask):
                self._assign_ops.append(
                    assign(variable, value, name=f"{variable.op.name}_assign")
                )

    def mask_update_op(self) -> Any:
        """The op that moves all masks."""
        with name_scope(self._spec.name):
            if not self._assign_ops:
                self._get_mask_assign_ops()
            noted = assign(
                self._last_update_step, self._global_step,
                name="last_mask_update_step_assign",
            )  # fmt: skip
            with control_dependencies([noted]):
                return group(*self._assign_ops, name="mask_update")

    def conditional_mask_update_op(self) -> Any:
        """The op that moves all masks where it is time."""
        spec, step = self._spec, self._global_step
        with name_scope(spec.name):
            due = logical_and(
                greater_equal(step, spec.begin_pruning_step),
                greater_equal(step, self._last_update_step + spec.pruning_frequency),
            )
            if spec.end_pruning_step >= 0:
                due = logical_and(due, step <= spec.end_pruning_step)
        return cond(due, self._moved, no_op)

    def _moved(self):
        kept, self._assign_ops = self._assign_ops, []
        try:
            return self.mask_update_op()
        finally:
            self._assign_ops = kept

    def add_pruning_summaries(self) -> None:
        """Summaries of the sparsity that is asked for, and of each mask."""
        with name_scope(f"{self._spec.name}_summaries"):
            scalar("sparsity", self._sparsity)
            scalar("last_mask_update_step", self._last_update_step)
            for mask, threshold in zip(get_masks(), get_thresholds(), strict=True):
                scalar(f"{mask.op.name}/sparsity", zero_fraction(mask))
                scalar(f"{threshold.op.name}/threshold", threshold)

    def print_hparams(self) -> None:
        """Log the settings."""
        logging.info(self._spec.to_json())


def _targets(entries):
    pairs = (entry.rpartition(":") for entry in entries if entry)
    found = {name: float(target) for name, _, target in pairs}
    if any(target >= 1.0 for target in found.values()):
        raise ValueError("Weight sparsity can not exceed 1.0")
    return found


def _validate_spec(spec):
    """Check the settings.

    Raises:
        ValueError: one is out of its range.
    """
    for fails, text in (
        (spec.begin_pruning_step < 0, "Illegal value for begin_pruning_step"),
        (
            0 <= spec.end_pruning_step <= spec.begin_pruning_step,
            "Pruning must begin before it can end. begin_step="
            f"{spec.begin_pruning_step}, end_step={spec.end_pruning_step}.Set "
            "end_pruning_step to -1 if pruning is required till trainingstops",
        ),
        (
            spec.sparsity_function_begin_step < 0,
            "Illegal value for sparsity_function_begin_step",
        ),
        (
            spec.sparsity_function_begin_step >= spec.sparsity_function_end_step,
            "Sparsity function requires begin_step < end_step",
        ),
        (
            not 0.0 <= spec.threshold_decay < 1.0,
            "threshold_decay must be in range [0,1)",
        ),
        (
            not 0.0 <= spec.initial_sparsity < 1.0,
            "initial_sparsity must be in range [0,1)",
        ),
        (
            not 0.0 <= spec.target_sparsity < 1.0,
            "target_sparsity must be in range [0,1)",
        ),
    ):
        if fails:
            raise ValueError(text)
