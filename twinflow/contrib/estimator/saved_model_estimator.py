"""SavedModelEstimator: an Estimator whose model function is a SavedModel."""

import os

from twinflow.base.annotations import Path
from twinflow.base.dtypes import as_dtype
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.base.text import as_str_any, path_to_str
from twinflow.checkpoint.reader import list_variables
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.exporting import EXPORT_TAG_MAP
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.estimator.receivers import SINGLE_FEATURE, SINGLE_LABEL
from twinflow.estimator.warm_start import WarmStartSettings
from twinflow.export import constants
from twinflow.export.loading import (
    NoSuchTags,
    SavedModelLoader,
    asset_feeds,
    main_op_of,
)
from twinflow.export.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from twinflow.graph.scopes import get_collection_ref
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.variables.collections import get_collection
from twinflow.train import training_util
from twinflow.train.meta_graph import import_meta_graph_with_return_elements
from twinflow.train.scaffold import Scaffold

_SIGNATURES = {
    ModeKeys.PREDICT: DEFAULT_SERVING_SIGNATURE_DEF_KEY,
    ModeKeys.TRAIN: ModeKeys.TRAIN,
    ModeKeys.EVAL: ModeKeys.EVAL,
}
_SAVED = (
    constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY, constants.TRAIN_OP_KEY,
    constants.ASSETS_KEY,
)  # fmt: skip


class SavedModelEstimator(Estimator):
    """An Estimator whose model function is a SavedModel that an Estimator wrote.

    It does what the SavedModel has graphs for: those that
    `tf.contrib.estimator.export_all_saved_models` wrote, or the one for serving. A
    fresh folder begins with the values of the SavedModel.

    Args:
        saved_model_dir: the folder of the SavedModel.
        model_dir: the folder of the Estimator; a temporary one by default.
    Raises:
        IOError: there is no SavedModel.
    Example:
        def model_fn(features, labels, mode):
            y = 3.0 * features["x"]
            return tf.estimator.EstimatorSpec(mode, predictions={"y": y}, loss=y[0],
                train_op=tf.train.get_global_step().assign_add(1))
        input_fn = lambda: {"x": tf.constant([2.0])}
        estimator = tf.estimator.Estimator(model_fn, "./model")
        estimator.train(input_fn, steps=1)
        x = tf.placeholder(tf.float32, [1])
        receiver_fn = tf.estimator.export.build_raw_serving_input_receiver_fn({"x": x})
        path = estimator.export_savedmodel("./export", receiver_fn)
        again = tf.contrib.estimator.SavedModelEstimator(path)
        next(again.predict(input_fn))  # {"y": 6.0}
    """

    def __init__(self, saved_model_dir: Path, model_dir: Path | None = None) -> None:
        self.saved_model_dir = as_str_any(path_to_str(saved_model_dir))
        self.saved_model_loader = SavedModelLoader(self.saved_model_dir)
        self._available_modes = self._extract_available_modes()
        path = self.saved_model_loader.variables_path
        values = None
        if os.path.exists(f"{path}.index"):
            values = WarmStartSettings(path, [name for name, _ in list_variables(path)])
        super().__init__(
            model_fn=self._model_fn_from_saved_model, model_dir=model_dir,
            warm_start_from=values,
        )  # fmt: skip

    def _extract_available_modes(self):
        """The modes that there are graphs for."""
        found = []
        for mode in ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT:
            try:
                signatures = self._get_meta_graph_def_for_mode(mode).signature_def
            except NoSuchTags:
                continue
            if _SIGNATURES[mode] in signatures:
                found.append(mode)
        return found

    def _get_meta_graph_def_for_mode(self, mode):
        return self.saved_model_loader.get_meta_graph_def_from_tags(
            EXPORT_TAG_MAP[mode]
        )

    def _create_and_assert_global_step(self, graph):
        """None: the SavedModel has one."""

    def _model_fn_from_saved_model(self, features, labels, mode):
        """What the graph of a mode gives for features and labels."""
        if mode not in self._available_modes:
            raise RuntimeError(
                f"{mode} mode is not available in the SavedModel. Use saved_model_cli "
                "to check that the Metagraph for this mode has been exported."
            )
        if training_util.get_global_step() is not None:
            raise RuntimeError(
                "Graph must not contain a global step tensor before the SavedModel is "
                "loaded. Please make sure that the input function does not create a "
                "global step."
            )
        meta = self._get_meta_graph_def_for_mode(mode)
        signature = meta.signature_def[_SIGNATURES[mode]]
        outputs = {key: info.name for key, info in signature.outputs.items()}
        self._place_assets(meta)
        _, elements = import_meta_graph_with_return_elements(
            meta, input_map=_input_map(signature, features, labels),
            return_elements=list(outputs.values()),
        )  # fmt: skip
        first = main_op_of(meta) or main_op_of(meta, constants.LEGACY_INIT_OP_KEY)
        scaffold = Scaffold(local_init_op=first)
        train_op = next(iter(get_collection(constants.TRAIN_OP_KEY)), None)
        for key in _SAVED:
            get_collection_ref(key).clear()
        tensors = dict(zip(outputs, elements, strict=True))
        return _spec(mode, tensors, train_op, scaffold)

    def _place_assets(self, meta):
        """Let the constants of the graph name the files that came along."""
        paths = {
            name.partition(":")[0]: path
            for name, path in asset_feeds(self.saved_model_dir, meta).items()
        }
        for node in meta.graph_def.node:
            if node.name in paths:
                node.attr["value"].tensor.string_val[:] = [paths[node.name].encode()]


def _spec(mode, tensors, train_op, scaffold):
    if mode == ModeKeys.PREDICT:
        return EstimatorSpec(
            mode, predictions=tensors, train_op=train_op, scaffold=scaffold
        )
    metrics = {
        key.removesuffix("/value"): (tensor, tensors[f"{key[:-6]}/update_op"])
        for key, tensor in tensors.items()
        if key.startswith("metrics") and key.endswith("/value")
    }
    predictions = {
        key: tensor for key, tensor in tensors.items() if key.startswith("predictions")
    }
    return EstimatorSpec(
        mode, predictions=predictions, loss=tensors["loss"], train_op=train_op,
        eval_metric_ops=metrics, scaffold=scaffold,
    )  # fmt: skip


# ------------------------------------------------------------------ what is fed
def _input_map(signature, features, labels):
    """Dict from the names of what the signature takes to what is given."""
    given = {
        **_named(features, SINGLE_FEATURE, "features"),
        **_named(labels, SINGLE_LABEL, "labels"),
    }
    found = {}
    for key, info in signature.inputs.items():
        if key not in given:
            raise ValueError(
                f'Key "{key}" not found in features or labels passed in to the model '
                f"function. All required keys: {signature.inputs.keys()}"
            )
        value = given[key]
        if info.WhichOneof("encoding") == "coo_sparse":
            coo = info.coo_sparse
            found[coo.values_tensor_name] = value.values
            found[coo.indices_tensor_name] = value.indices
            found[coo.dense_shape_tensor_name] = value.dense_shape
            continue
        _check_same_dtype_and_shape(value, info, key)
        found[info.name] = value
        found[f"^{info.name.partition(':')[0]}"] = value  # as what to wait for
    return found


def _named(values, single, what):
    """A dict of features or labels."""
    if values is None:
        return {}
    if isinstance(values, dict):
        return values
    if not isinstance(values, Tensor | SparseTensor):
        raise TypeError(f"{what} must be a tensor or a dict of tensors, not {values}")
    return {single: values}


def _check_same_dtype_and_shape(tensor, info, name):
    """Raise ValueError where a tensor is not what the signature says."""
    dtype, shape = as_dtype(info.dtype), TensorShape(info.tensor_shape)
    wrong = ""
    if not tensor.shape.is_compatible_with(shape):
        wrong += f"\n\tExpected shape: {shape}, Got: {tensor.shape}"
    if tensor.dtype != dtype:
        wrong += f"\n\tExpected dtype: {dtype!r}, Got: {tensor.dtype!r}"
    if wrong:
        raise ValueError(
            f"Tensor shape and/or dtype validation failed for input {name}:{wrong}"
        )
