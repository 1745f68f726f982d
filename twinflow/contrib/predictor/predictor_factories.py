"""tf.contrib.predictor: what makes predictors."""

from collections.abc import Callable
from typing import Any

from twinflow.base.annotations import Path
from twinflow.contrib.learn.estimator import Estimator as ContribEstimator
from twinflow.contrib.predictor.contrib_estimator_predictor import (
    ContribEstimatorPredictor,
)
from twinflow.contrib.predictor.core_estimator_predictor import CoreEstimatorPredictor
from twinflow.contrib.predictor.saved_model_predictor import SavedModelPredictor
from twinflow.estimator.estimator import Estimator


def from_contrib_estimator(
    estimator: ContribEstimator, prediction_input_fn: Callable[..., Any],
    input_alternative_key: str | None = None, output_alternative_key: str | None = None,
    graph: Any = None, config: Any = None,
) -> ContribEstimatorPredictor:  # fmt: skip
    """A function of arrays, made of a tf.contrib.learn.Estimator.

    Args:
        estimator: the Estimator. prediction_input_fn: () -> InputFnOps.
        input_alternative_key: of what is fed; the default inputs if not given.
        output_alternative_key: of the output alternatives; needed if there are several.
        graph: the Graph that is filled; a new one if not given. config: a ConfigProto.
    Raises:
        TypeError: it is no such Estimator. ValueError: there is no such alternative.
    Example:
        learn = tf.contrib.learn
        def model_fn(features, labels, mode):
            v = tf.get_variable("v", [], initializer=tf.ones_initializer())
            step = tf.train.get_global_step().assign_add(1)
            return learn.ModelFnOps(mode, {"y": features["x"] * v}, v * 1., step)
        estimator = learn.Estimator(model_fn, "./learned")
        data = lambda: ({"x": tf.constant([1.0])}, tf.constant([2.0]))
        estimator = estimator.fit(input_fn=data, steps=1)
        def input_fn():
            x = {"x": tf.placeholder(tf.float32, [None])}
            return learn.InputFnOps(x, None, x)
        predict = tf.contrib.predictor.from_contrib_estimator(estimator, input_fn)
        predict({"x": [1.0, 3.0]})["y"]  # [1., 3.]
    """
    if isinstance(estimator, Estimator):
        raise TypeError(
            "Expected estimator to be of type tf.contrib.learn.Estimator, but got type "
            "tf.python.estimator.Estimator. You likely want to call from_estimator."
        )
    return ContribEstimatorPredictor(
        estimator, prediction_input_fn, input_alternative_key, output_alternative_key,
        graph, config,
    )  # fmt: skip


def from_estimator(
    estimator: Estimator, serving_input_receiver_fn: Callable[..., Any],
    output_key: str | None = None, graph: Any = None, config: Any = None,
) -> CoreEstimatorPredictor:  # fmt: skip
    """A function of arrays, made of an Estimator and its last checkpoint.

    Args:
        estimator: the Estimator. serving_input_receiver_fn: makes the inputs.
        output_key: of the export outputs; the default one if not given.
        graph: the Graph that is filled; a new one if not given. config: a ConfigProto.
    Raises:
        TypeError: it is no Estimator. KeyError: there is no such output.
    Example:
        def model_fn(features, labels, mode):
            v = tf.get_variable("v", [], initializer=tf.ones_initializer())
            step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
            return tf.estimator.EstimatorSpec(
                mode, features["x"] * v, loss=v * 1., train_op=step,
                export_outputs={"serving_default":
                                tf.estimator.export.PredictOutput(features["x"] * v)})
        estimator = tf.estimator.Estimator(model_fn, "./model")
        data = {"x": [1.0]}, [2.0]
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
        def receiver_fn():
            x = {"x": tf.placeholder(tf.float32, [None])}
            return tf.estimator.export.ServingInputReceiver(x, x)
        predict = tf.contrib.predictor.from_estimator(estimator, receiver_fn)
        predict({"x": [1.0, 3.0]})["output"]  # [1., 3.]
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(
            "Expected estimator to be of type tf.python.estimator.Estimator, but got "
            f"type {type(estimator)}. You likely want to call from_contrib_estimator."
        )
    return CoreEstimatorPredictor(
        estimator, serving_input_receiver_fn, output_key, graph, config
    )


def from_saved_model(
    export_dir: Path, signature_def_key: str | None = None, signature_def: Any = None,
    input_names: Any = None, output_names: Any = None, tags: str | None = None,
    graph: Any = None, config: Any = None,
) -> SavedModelPredictor:  # fmt: skip
    """A function of arrays, made of a SavedModel.

    Args:
        export_dir: the folder. signature_def_key: of the signatures; the default one if
            nothing says the tensors. signature_def: a SignatureDef.
        input_names, output_names: the names of tensors by those of inputs and outputs.
        tags: of the graph, with commas between; "serve" if not given.
        graph: the Graph that is filled; a new one if not given. config: a ConfigProto.
    Raises:
        ValueError: the tensors are said in several ways. RuntimeError: no graph has
            these tags. IOError: there is no SavedModel.
    Example:
        x = tf.placeholder(tf.float32, name="x")
        with tf.Session() as sess:
            tf.saved_model.simple_save(sess, "./export", {"x": x}, {"y": x * 2.})
        predict = tf.contrib.predictor.from_saved_model("./export")
        predict({"x": [1., 2.]})["y"]  # [2., 4.]
    """
    return SavedModelPredictor(
        export_dir, signature_def_key, signature_def, input_names, output_names, tags,
        graph, config,
    )  # fmt: skip
