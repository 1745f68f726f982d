"""Predictors of SavedModels."""

from typing import Any

from twinflow.base.annotations import Path
from twinflow.contrib.predictor.predictor import Predictor
from twinflow.execute.session import Session
from twinflow.export import signature_constants
from twinflow.export.loading import load
from twinflow.graph.graph import Graph

DEFAULT_TAGS = "serve"


class SavedModelPredictor(Predictor):
    """A Predictor of a SavedModel.

    Args: see `from_saved_model`.
    """

    def __init__(
        self, export_dir: Path, signature_def_key: str | None = None,
        signature_def: Any = None, input_names: Any = None, output_names: Any = None,
        tags: str | None = None, graph: Any = None, config: Any = None,
    ) -> None:  # fmt: skip
        _check(signature_def_key, signature_def, input_names, output_names)
        self._graph = graph or Graph()
        with self._graph.as_default():
            self._session = Session(config=config)
            meta = load(self._session, (tags or DEFAULT_TAGS).split(","), export_dir)
        if input_names is None:
            if signature_def is None:
                key = (
                    signature_def_key
                    or signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
                )
                signature_def = meta.signature_def[key]
            input_names = _names(signature_def.inputs)
            output_names = _names(signature_def.outputs)
        self._feed_tensors, self._fetch_tensors = (
            {key: self._graph.get_tensor_by_name(name) for key, name in names.items()}
            for names in (input_names, output_names)
        )


def _names(infos):
    return {key: info.name for key, info in infos.items()}


def _check(signature_def_key, signature_def, input_names, output_names):
    """Raise ValueError unless the tensors are said in one way at most."""
    if (input_names is None) != (output_names is None):
        raise ValueError(
            "input_names and output_names must both be specified or both be "
            "unspecified."
        )
    ways = signature_def_key, signature_def, input_names
    if sum(way is not None for way in ways) > 1:
        raise ValueError(
            "You must specify at most one of signature_def_key OR signature_def OR"
            "(input_names AND output_names)."
        )
