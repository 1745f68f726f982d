"""What a served model gets, and when models are exported."""

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from twinflow.base import dtypes, files
from twinflow.estimator.receivers import ServingInputReceiver
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.parsing.public import parse_example


class InputFnOps(
    NamedTuple(
        "InputFnOps", [("features", Any), ("labels", Any), ("default_inputs", Any)]
    )
):
    """What an input function of a served model gives.

    Args:
        features: {name: tensor}, for the model function. labels: None.
        default_inputs: {name: tensor}, what is fed.
    """


def receiver_of(serving_input_fn: Callable) -> Callable:
    """The same as a function that gives a ServingInputReceiver."""

    def receive():
        found = serving_input_fn()
        if isinstance(found, ServingInputReceiver):
            return found
        features, _, inputs = found
        return ServingInputReceiver(features, inputs or features)

    return receive


def build_parsing_serving_input_fn(
    feature_spec: Any, default_batch_size: Any = None
) -> Callable[..., Any]:
    """A function that reads serialised tf.Examples.

    Args:
        feature_spec: {name: FixedLenFeature, ...}. default_batch_size: how many.
    Returns:
        () -> InputFnOps
    """

    def input_fn():
        examples = placeholder(
            dtypes.string, [default_batch_size], name="input_example_tensor"
        )
        features = parse_example(examples, feature_spec)
        return InputFnOps(features, None, {"examples": examples})

    return input_fn


def build_default_serving_input_fn(
    features: Any, default_batch_size: Any = None
) -> Callable[..., Any]:
    """A function that reads tensors like those of a training.

    Args:
        features: {name: tensor}. default_batch_size: the size of the first axis.
    Returns:
        () -> InputFnOps
    """

    def input_fn():
        found = {}
        for name, tensor in features.items():
            sizes = tensor.get_shape().as_list()
            sizes[0] = default_batch_size
            found[name] = placeholder(tensor.dtype, sizes, name=tensor.op.name)
        return InputFnOps(found, None, found)

    return input_fn


class ExportStrategy(
    NamedTuple(
        "ExportStrategy",
        [("name", Any), ("export_fn", Any), ("strip_default_attrs", Any)],
    )
):
    """When and how an Experiment exports.

    Args:
        name: the folder below `export`.
        export_fn: of (estimator, folder, checkpoint_path, eval_result).
        strip_default_attrs: leave attributes out that have their defaults.
    """

    def __new__(cls, name: Any, export_fn: Any, strip_default_attrs: Any = None):
        return super().__new__(cls, name, export_fn, strip_default_attrs)

    def export(
        self, estimator: Any, export_path: Any, checkpoint_path: Any = None,
        eval_result: Any = None,
    ) -> Any:  # fmt: skip
        """Export the estimator into a folder.

        Args:
            export_path: the folder. checkpoint_path: the last one by default.
            eval_result: what the evaluation of the checkpoint gave.
        Returns:
            the folder of the SavedModel
        """
        return self.export_fn(
            estimator, export_path, checkpoint_path=checkpoint_path,
            eval_result=eval_result,
        )  # fmt: skip


def make_export_strategy(
    serving_input_fn: Callable[..., Any], default_output_alternative_key: Any = None,
    assets_extra: Any = None, as_text: bool = False, exports_to_keep: Any = 5,
    strip_default_attrs: Any = None,
) -> ExportStrategy:  # fmt: skip
    """An ExportStrategy that writes SavedModels.

    Args:
        serving_input_fn: () -> InputFnOps.
        default_output_alternative_key: which output is the default.
        assets_extra, as_text: see Estimator.export_savedmodel.
        exports_to_keep: how many; the oldest ones go.
        strip_default_attrs: leave attributes out that have their defaults.
    """

    def export_fn(estimator, export_dir_base, checkpoint_path=None, eval_result=None):
        del eval_result
        options: dict = {}
        if default_output_alternative_key is not None:
            options["default_output_alternative_key"] = default_output_alternative_key
        found = estimator.export_savedmodel(
            export_dir_base, serving_input_fn, assets_extra=assets_extra,
            as_text=as_text, checkpoint_path=checkpoint_path, **options,
        )  # fmt: skip
        _forget(export_dir_base, exports_to_keep)
        return found

    return ExportStrategy("Servo", export_fn, strip_default_attrs)


def _forget(folder, keep):
    """Delete all but the newest exports."""
    if keep is None:
        return
    names = [n.strip("/") for n in files.ListDirectory(folder)]
    for name in sorted((n for n in names if n.isdigit()), key=int)[:-keep]:
        files.DeleteRecursively(os.path.join(folder, name))
