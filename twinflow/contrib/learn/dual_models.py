"""Linear models on feature columns that dual coordinate ascent trains."""

from typing import Any

from twinflow.contrib.layers.column_linear import weighted_sum_from_feature_columns
from twinflow.contrib.layers.column_makers import real_valued_column
from twinflow.contrib.learn import class_heads, heads
from twinflow.graph.scopes import group
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.creation import ones
from twinflow.ops.core.shape import shape
from twinflow.train import training_util

_BIAS = "tflearn_sdca_bias_column"


def _loss_type(head: Any) -> str:
    """The loss of a head.

    Raises:
        ValueError: dual coordinate ascent has it not.
    """
    kinds = {
        class_heads._SvmHead: "hinge_loss", class_heads._BinaryHead: "logistic_loss",
        heads._RegressionHead: "squared_loss",
    }  # fmt: skip
    found = kinds.get(type(head))
    if found is None:
        raise ValueError(f"Unsupported head type: {head}")
    return found


def dual_model(
    features: Any, labels: Any, mode: str, head: Any, columns: Any, optimizer: Any,
    weight_column_name: Any = None,
) -> Any:  # fmt: skip
    """The ModelFnOps of a linear model.

    Args:
        head: of a regression or of two classes, with one logit.
        columns: of tf.contrib.layers. optimizer: an SDCAOptimizer.
        weight_column_name: the key of the examples' weights; the head's by default.
    """
    weight_column_name = weight_column_name or head._weight_column_name
    features, loss_type = dict(features), _loss_type(head)
    with variable_scope(
        "linear", values=features.values(), partitioner=optimizer.partitioner
    ) as scope:
        logits, variables, bias = weighted_sum_from_feature_columns(
            features, columns, 1, scope=scope
        )

    def train_op_fn(loss: Any) -> Any:
        del loss
        step = training_util.get_or_create_global_step()
        rows = shape(features[optimizer.example_id_column])[0]
        whole = {**features, _BIAS: ones([rows, 1])}
        weights = {**variables, real_valued_column(_BIAS): [bias]}
        model, train = optimizer.get_train_step(
            weights, weight_column_name, loss_type, whole, head._labels(labels), step
        )
        return group(model.update_weights(train))

    return head.create_model_fn_ops(
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn,
        logits=logits,
    )  # fmt: skip
