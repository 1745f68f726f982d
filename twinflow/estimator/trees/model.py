"""The model function of boosted trees.

Friedman, Greedy function approximation (2001), layer by layer as in Ponomareva et al.,
TF Boosted Trees (2017): a step adds up gradients and hessians by node and bucket, and
once there are enough of them the last tree grows by a layer.
"""

import functools
from typing import Any, NamedTuple

from twinflow.estimator.model_fn import ModeKeys
from twinflow.estimator.trees import calls
from twinflow.estimator.trees import features as feature_lists
from twinflow.estimator.trees.caches import (
    StatesInVariables,
    cache_transformed_features,
    first_states,
)
from twinflow.estimator.trees.contributions import DEBUG_PROTO_KEY
from twinflow.estimator.trees.ensemble import TreeEnsemble
from twinflow.estimator.trees.growers import (
    AccumulatorEnsembleGrower,
    InMemoryEnsembleGrower,
    get_max_splits,
)
from twinflow.estimator.trees.hooks import GrowerInitializationHook, StopAtAttemptsHook
from twinflow.graph.cond import cond
from twinflow.graph.gradients import gradients as gradients_of
from twinflow.graph.scopes import group, name_scope
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.shape import shape, squeeze
from twinflow.ops.variables.kinds import ResourceVariable
from twinflow.ops.variables.state import assign_add
from twinflow.summary import summaries
from twinflow.train import training_util


class _Step(NamedTuple):
    """What a training step is made of."""

    logits: Any
    states: tuple  # of the ensemble
    ends: tuple  # the trees and nodes of the examples
    features: Any
    cache: Any
    ops: list


def bt_model_fn(
    features, labels, mode, head, feature_columns, tree_hparams, n_batches_per_layer,
    config, closed_form_grad_and_hess_fn=None, train_in_memory=False,
    name="boosted_trees",
):  # fmt: skip
    """The EstimatorSpec of boosted trees.

    Args:
        features: dict of tensors. labels: tensor. mode: a ModeKeys. head: a Head.
        feature_columns: bucketized and indicator columns.
        tree_hparams: a TreeHParams. n_batches_per_layer: how many batches a layer is
            grown of. config: a RunConfig.
        closed_form_grad_and_hess_fn: (logits, labels) -> (gradients, hessians).
        train_in_memory: whether there is one batch, which is kept. name: the scope.
    """
    columns = sorted(feature_columns, key=lambda column: column.name)
    with name_scope(name) as scope:
        training_util.get_or_create_global_step()
        sizes, ids = feature_lists.group_features_by_num_buckets(columns)
        ensemble = TreeEnsemble(name=scope)
        if mode != ModeKeys.TRAIN:
            found = feature_lists.get_transformed_features(features, columns)
            logits = calls.predict(
                ensemble.resource_handle, found, head.logits_dimension
            )
            return head.create_estimator_spec(
                features=features, mode=mode, labels=labels, logits=logits,
                train_op_fn=no_op,
            )  # fmt: skip
        step = _step(ensemble, features, labels, head, columns, train_in_memory)
        if train_in_memory:
            grower: Any = InMemoryEnsembleGrower(ensemble, tree_hparams, ids)
        else:
            grower = AccumulatorEnsembleGrower(
                ensemble, tree_hparams, step.states[0], n_batches_per_layer, sizes,
                config.is_chief, tree_hparams.center_bias, ids,
            )  # fmt: skip
        _summarize(step.states)
        bias_needed = ResourceVariable(
            tree_hparams.center_bias, trainable=False, name="center_bias_needed"
        )
    plan = tree_hparams, sizes, ids, closed_form_grad_and_hess_fn
    spec = head.create_estimator_spec(
        features=features, mode=mode, labels=labels, logits=step.logits,
        train_op_fn=functools.partial(
            _train_op, labels, step, grower, bias_needed, plan
        ),
    )  # fmt: skip
    stop = StopAtAttemptsHook(
        step.states[2], step.states[3], tree_hparams.n_trees, tree_hparams.max_depth
    )
    start = GrowerInitializationHook(grower.chief_init_op())
    return spec._replace(
        training_hooks=(start, *spec.training_hooks, stop),
    )


def _batch_size(labels):
    """A number where it is known: caches are then made before there is a batch."""
    found = convert_to_tensor(labels)
    known = found.shape[0].value if found.shape.ndims else None
    return shape(found)[0] if known is None else known


def _step(ensemble, features, labels, head, columns, in_memory):
    """What the trees say of a batch now."""
    batch_size = _batch_size(labels)
    cache, ops = None, []
    if in_memory:
        found, done = cache_transformed_features(features, columns, batch_size)
        cache = StatesInVariables(batch_size, head.logits_dimension)
        ops.append(done)
        trees, nodes, logits = cache.lookup()
    else:
        found = feature_lists.get_transformed_features(features, columns)
        trees, nodes, logits = first_states(batch_size, head.logits_dimension)
    states = ensemble.get_states()
    more, *ends = calls.training_predict(
        ensemble.resource_handle, trees, nodes, found, head.logits_dimension
    )
    return _Step(logits + more, states, tuple(ends), found, cache, ops)


def _summarize(states):
    names = "num_trees", "num_finalized_trees", "num_attempted_layers"
    for name, state in zip(names, states[1:]):
        summaries.scalar(f"ensemble/{name}", state)


def _train_op(labels, step, grower, bias_needed, plan, loss):
    chosen, sizes, ids, closed_form = plan
    ops, logits = list(step.ops), step.logits
    if step.cache is not None:
        ops.append(_kept(step, bias_needed))
    if closed_form is not None:
        gradients, hessians = closed_form(logits, labels)
    else:
        gradients = gradients_of(loss, logits, name="Gradients")[0]
        hessians = gradients_of(gradients, logits, name="Hessians")[0]
    sums = _sums(step, gradients, hessians, get_max_splits(chosen), sizes, ids)
    grow = functools.partial(grower.grow_tree, sums, step.states[4])
    center = functools.partial(grower.center_bias, bias_needed, gradients, hessians)
    if chosen.center_bias:
        ops.append(cond(bias_needed, center, grow))
    else:
        ops.append(grow())
    ops.append(assign_add(training_util.get_global_step(), 1, use_locking=True))
    return group(ops, name="train_op")


def _kept(step, bias_needed):
    """The op that keeps where examples are, once the bias stays as it is."""
    return cond(bias_needed, no_op, lambda: step.cache.insert(*step.ends, step.logits))


def _sums(step, gradients, hessians, max_splits, sizes, ids):
    """The sums of each feature, in lists as the features."""
    return [
        [
            squeeze(
                calls.make_stats_summary(
                    step.ends[1], gradients, hessians, [step.features[i]], max_splits,
                    size,
                ),
                axis=0,
            )
            for i in group_ids
        ]
        for size, group_ids in zip(sizes, ids, strict=True)
    ]  # fmt: skip


def bt_explanations_fn(features, head, sorted_feature_columns, name="boosted_trees"):
    """The EstimatorSpec of predictions with the paths that led to them.

    Args: see `bt_model_fn`.
    """
    with name_scope(name) as scope:
        ensemble = TreeEnsemble(name=scope)
        found = feature_lists.get_transformed_features(features, sorted_feature_columns)
        inputs = ensemble.resource_handle, found, head.logits_dimension
        logits = calls.predict(*inputs)
        spec = head.create_estimator_spec(
            features=features, mode=ModeKeys.PREDICT, labels=None, logits=logits,
            train_op_fn=no_op,
        )  # fmt: skip
        paths = calls.example_debug_outputs(*inputs)
        spec.predictions[DEBUG_PROTO_KEY] = paths
        return spec
