"""Keras models as SavedModels, and back.

Note [Keras SavedModels]: the folder holds the settings of the model as JSON, its
weights as an object-based checkpoint, and a graph for each mode, made of a copy of the
model. The Savers of these graphs read the same checkpoint, by the keys of objects.
"""

import os
from typing import Any

from twinflow.base import errors, files, logging
from twinflow.base.annotations import Path
from twinflow.base.text import as_bytes, as_str_any, path_to_str
from twinflow.checkpoint.saver import Saver
from twinflow.checkpoint.tracking import list_objects, named_saveables
from twinflow.estimator.export_signatures import (
    build_all_signature_defs,
    export_outputs_for_mode,
)
from twinflow.estimator.exporting import EXPORT_TAG_MAP, get_timestamped_export_dir
from twinflow.estimator.keras_model import metrics_of
from twinflow.estimator.model_fn import ModeKeys
from twinflow.execute.session import Session
from twinflow.execute.session_config import soft_placement
from twinflow.export.folders import (
    get_assets_dir,
    get_or_create_assets_dir,
    get_or_create_variables_dir,
    get_variables_path,
)
from twinflow.export.saved_model import SavedModelBuilder
from twinflow.graph.graph import Graph
from twinflow.graph.scopes import group
from twinflow.keras.backend import defaults, sessions
from twinflow.keras.engine.model import Model
from twinflow.keras.optimizers.algorithms import TFOptimizer
from twinflow.keras.saving.cloning import clone_model, model_from_json
from twinflow.keras.saving.config import custom_object_scope
from twinflow.keras.training import graphs
from twinflow.ops.variables.collections import local_variables_initializer
from twinflow.train import training_util

_JSON = "saved_model.json"
_SERVING_ONLY = (
    "Model was compiled with an optimizer, but the optimizer is not from `tf.train` "
    "(e.g. `tf.train.AdagradOptimizer`). Only the serving graph was exported. The "
    "train and evaluate graphs were not added to the SavedModel."
)


def save_keras_model(
    model: Model, saved_model_path: Path, custom_objects: dict[Any, Any] | None = None,
    as_text: bool | None = None,
) -> bytes:  # fmt: skip
    """Write a Keras model as a SavedModel.

    It gets a graph for serving, and those for training and evaluation where the model
    is compiled with a `tf.train` optimizer.

    Args:
        model: a Sequential or functional model.
        saved_model_path: the folder of a folder named by the seconds of now.
        custom_objects: dict from names to classes and functions of the settings.
        as_text: write the graphs as text.
    Returns:
        The folder, bytes.
    Raises:
        NotImplementedError: the model is written as a class, or not built yet.
    Example:
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(3,))])
        path = tf.contrib.saved_model.save_keras_model(model, "./models")
        again = tf.contrib.saved_model.load_keras_model(path)
        again.predict(np.ones((2, 3), "float32")).shape  # (2, 1)
    """
    if model._network is None:
        raise NotImplementedError(
            "Only Sequential and functional models that are built have settings to be "
            f"saved; {model.name} is written as a class or was not called yet."
        )
    folder = get_timestamped_export_dir(as_str_any(path_to_str(saved_model_path)))
    builder = SavedModelBuilder(folder)
    path = _write_json_and_variables(model, as_str_any(folder))
    builder._has_saved_variables = True
    modes = [ModeKeys.PREDICT]
    if isinstance(model.optimizer, TFOptimizer):
        modes = [ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT]
    elif model.optimizer:
        logging.warning(_SERVING_ONLY)
    for mode in modes:
        _add_graph(builder, model, mode, custom_objects or {}, path, mode == modes[0])
    builder.save(bool(as_text))
    return as_bytes(folder)


def _write_json_and_variables(model, folder):
    """Write what loading needs; returns the prefix of the checkpoint."""
    assets = get_or_create_assets_dir(folder)
    get_or_create_variables_dir(folder)
    text = model.to_json()
    files.atomic_write_string_to_file(os.path.join(assets, _JSON), text)
    path = get_variables_path(folder)
    model.save_weights(path, save_format="tf", overwrite=True)
    return path


def _add_graph(builder, model, mode, custom_objects, path, is_first):
    """Add the graph of a mode; the first one writes the slots of optimizers too."""
    training = mode == ModeKeys.TRAIN
    phase = defaults.learning_phase_scope(int(training))
    with Graph().as_default() as graph, Session(config=soft_placement()):
        with custom_object_scope(custom_objects), phase:
            clone = clone_model(model)
            if mode != ModeKeys.PREDICT:
                _compile_like(clone, model)
            if training:
                updates = group(*graphs.training_updates(clone), name="group_deps")
                builder._add_train_op(updates)
            signatures = _signatures(clone, mode)
        if is_first:
            clone.load_weights(path)
            sessions.get_session()  # which initialises what the checkpoint has not
            clone.save_weights(path, save_format="tf", overwrite=True)
        assert_same_non_optimizer_objects(model, None, clone, graph)
        saved = [s for s in named_saveables(clone)[0] if s.op.graph is graph]
        builder.add_meta_graph(
            EXPORT_TAG_MAP[mode], signatures, main_op=local_variables_initializer(),
            saver=Saver(saved or None, allow_empty=True),
        )  # fmt: skip


def _compile_like(clone, model):
    """Compile a copy as the model is, with its tf.train optimizer."""
    step = training_util.get_or_create_global_step()
    facts = model.__dict__
    clone.compile(
        TFOptimizer(model.optimizer.optimizer, step),
        **{
            name: facts[name]
            for name in ("loss", "metrics", "loss_weights", "sample_weight_mode",
                         "weighted_metrics")
        },
    )  # fmt: skip


def _signatures(model, mode):
    inputs = dict(zip(model.input_names, model.inputs, strict=True))
    outputs = dict(zip(model.output_names, model.outputs, strict=True))
    if mode == ModeKeys.PREDICT:
        found = export_outputs_for_mode(mode, predictions=outputs)
        return build_all_signature_defs(inputs, found)
    for target in model.targets:
        if target is not None:
            inputs[target.op.name] = target
    found = export_outputs_for_mode(
        mode, predictions=outputs, loss=model.total_loss, metrics=metrics_of(model)
    )
    return build_all_signature_defs(inputs, found, serving_only=False)


def assert_same_non_optimizer_objects(
    model: Model, model_graph: Any, clone: Model, clone_graph: Any
) -> None:
    """Refuse a copy that has other layers or variables than its model.

    Args:
        model, clone: the models. model_graph, clone_graph: accepted.
    Raises:
        InternalError: they differ.
    """
    kinds = [
        [type(o) for layer in m.layers for o in list_objects(layer)]
        + [v.shape.as_list() for v in m.weights]
        for m in (model, clone)
    ]
    if kinds[0] != kinds[1]:
        raise errors.InternalError(
            None, None, "Model and clone must use the same variables."
        )


def load_keras_model(saved_model_path: Path) -> Model:
    """The Keras model that `save_keras_model` wrote, not compiled.

    Args:
        saved_model_path: the folder that it gave.
    Returns:
        A Model with the settings and weights.
    Raises:
        NotFoundError: there is none.
    """
    folder = as_str_any(path_to_str(saved_model_path))
    text = files.read_file_to_string(os.path.join(get_assets_dir(folder), _JSON))
    model = model_from_json(text)
    model.load_weights(get_variables_path(folder))
    return model
