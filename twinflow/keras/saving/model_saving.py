"""Saving weights, in TensorFlow's format and HDF5, and whole models."""

import os
from typing import Any

from twinflow.base import logging, stores
from twinflow.base.annotations import Path
from twinflow.base.dispatch import current_mode
from twinflow.base.errors import DataLossError
from twinflow.base.text import as_str_any, path_to_str
from twinflow.base.trackable import Trackable
from twinflow.checkpoint import restoring, state
from twinflow.checkpoint.checkpoint import write_objects
from twinflow.checkpoint.reader import CheckpointReader
from twinflow.formats import safetensors
from twinflow.keras.backend import sessions
from twinflow.keras.saving import hdf5, keras3_files, keras3_weights


def is_hdf5(path):
    """Whether the name of a file says that it is HDF5."""
    return path.endswith((".h5", ".keras"))


def _format(path, given):
    if given is None:
        return "h5" if is_hdf5(path) else "tf"
    name = given.lower().strip()
    if name in ("hdf5", "h5", "keras"):
        return "h5"
    if name not in ("tensorflow", "tf"):
        raise ValueError(
            f'Unknown format "{given}". Was expecting one of {{"tf", "h5"}}.'
        )
    if is_hdf5(path):
        raise ValueError(
            f'save_weights got save_format="tf"/"tensorflow", but the filepath '
            f'("{path}") looks like an HDF5 file. Omit the ".h5"/".keras" when saving '
            "in TensorFlow format."
        )
    return "tf"


def _is_keras3(path, given):
    """Whether weights are laid out as Keras 3 has them: its ending says so."""
    return given is None and path.endswith(".weights.h5")


def _may_write(path, overwrite):
    """Whether a file may be written: it is new, or may be replaced."""
    if overwrite or not stores.exists(path):
        return True
    answer = input(f"[WARNING] {path} already exists - overwrite? [y/n]")
    while answer.strip() not in ("y", "n"):
        answer = input('Enter "y" (overwrite) or "n" (cancel).')
    return answer.strip() == "y"


_WRITERS = {
    "keras": keras3_files.save,
    "h5": hdf5.save_model,
    "keras3_h5": keras3_files.save_hdf5,
}


class HasSaving:
    """The part of Model that saves."""

    def save_weights(
        self, filepath: Path, overwrite: bool = True, save_format: Any = None
    ) -> None:
        """Write the weights, and the state of a tf.train optimizer.

        Args:
            filepath: the path; of a checkpoint without its ends.
            overwrite: False to ask before a file is replaced.
            save_format: "tf" or "h5"; "h5" for names ending in .h5 or .keras. Names
                ending in .weights.h5 give the layout of Keras 3, unless it is "h5";
                names ending in .safetensors give that format, under the same names.
        Raises:
            ImportError: HDF5 is asked for and h5py is not installed.
            ValueError: the format is not known.
        """
        path = as_str_any(path_to_str(filepath))
        if path.endswith(safetensors.ENDING) and save_format is None:
            if _may_write(path, overwrite):
                safetensors.write(path, keras3_weights.by_name(self))
            return
        tf = _format(path, save_format) == "tf"
        if not tf and hdf5.h5py is None:
            raise ImportError("`save_weights` requires h5py when saving in hdf5.")
        if not _may_write(f"{path}.index" if tf else path, overwrite):
            return
        if not tf:
            with hdf5.replaced(path, "save_weights") as file:
                if _is_keras3(path, save_format):
                    keras3_weights.save(file, self)
                else:
                    hdf5.save_weights(file, self.layers)
            return
        if self.optimizer is not None and not isinstance(self.optimizer, Trackable):
            logging.warning(
                "This model was compiled with a Keras optimizer (%s) but is being "
                "saved in TensorFlow format with `save_weights`. The model's weights "
                "will be saved, but unlike with TensorFlow optimizers in the "
                "TensorFlow format the optimizer's state will not be saved.\n\n"
                "Consider using a TensorFlow optimizer from `tf.train`.",
                self.optimizer,
            )
        session = None if current_mode().eager else sessions.get_session()
        write_objects(self, path, session)
        state.update_checkpoint_state(os.path.dirname(path) or ".", path, [path])

    def load_weights(self, filepath: Path, by_name: bool = False) -> Any:
        """Read what `save_weights` wrote.

        Args:
            filepath: the path. by_name: only the layers of the same names (HDF5).
        Returns:
            A status as of tf.train.Checkpoint.restore; None for HDF5.
        Raises:
            ImportError: the file is HDF5 and h5py is not installed.
            ValueError: the weights do not fit.
        """
        path = as_str_any(path_to_str(filepath))
        if path.endswith(safetensors.ENDING):
            keras3_weights.set_by_name(self, safetensors.SafeTensors(path))
            return None
        if is_hdf5(path) or not _is_checkpoint(path):
            return self._load_hdf5(path, by_name)
        if by_name:
            raise NotImplementedError(
                "Weights may only be loaded based on topology into Models when loading "
                "TensorFlow-formatted weights (got by_name=True to load_weights)."
            )
        status = restoring.restore(self, path)
        if not current_mode().eager:
            session = sessions.get_session()
            status.run_restore_ops(session)
            status.restore_later(lambda variable, array: variable.load(array, session))
        return status

    def _load_hdf5(self, path, by_name):
        if hdf5.h5py is None:
            raise ImportError(
                "`load_weights` requires h5py when loading weights from HDF5."
            )
        if not self.weights and self._network is None:
            raise NotImplementedError(
                "Unable to load weights saved in HDF5 format into a subclassed Model "
                "which has not created its variables yet. Call the Model first, then "
                "load the weights."
            )
        with hdf5.read(path, "load_weights") as file:
            if keras3_weights.is_of_keras3(file):
                if by_name:
                    raise ValueError(
                        "by_name=True is for files with the names of layers, which the "
                        "layout of Keras 3 has not"
                    )
                keras3_weights.load(file, self)
                return
            inner = "layer_names" not in file.attrs and "model_weights" in file
            group = file["model_weights"] if inner else file
            load = hdf5.load_weights_by_name if by_name else hdf5.load_weights
            load(group, self.layers)

    def save(
        self, filepath: Path, overwrite: bool = True, include_optimizer: bool = True,
        save_format: Any = None,
    ) -> None:  # fmt: skip
        """Write the model to a file: settings, weights, optimizer.

        Args:
            filepath: the path. overwrite: False to ask before a file is replaced.
            include_optimizer: whether to write how it is trained.
            save_format: "keras" for the zip of Keras 3, as for names ending in .keras;
                "h5" for HDF5 as TensorFlow 1.12 writes it, as for all others;
                "keras3_h5" for HDF5 that Keras 3 reads.
        Raises:
            ValueError: Keras 3 has no such layer, or the format is not known.
            NotImplementedError: the model is written as a class.
            ImportError: h5py is not installed.
        """
        if self._network is None:
            raise NotImplementedError(
                "Currently `save` requires model to be a graph network. Consider using "
                "`save_weights`, in order to save the weights of the model."
            )
        path = as_str_any(path_to_str(filepath))
        if hdf5.h5py is None:
            raise ImportError("`save_model` requires h5py.")
        if save_format not in (None, *_WRITERS):
            raise ValueError(
                f"save_format is 'keras', 'h5' or 'keras3_h5', got {save_format!r}"
            )
        ending = "keras" if path.endswith(".keras") else "h5"
        if _may_write(path, overwrite):
            _WRITERS[save_format or ending](self, path, include_optimizer)

    def to_yaml(self, **kwargs: Any) -> Any:
        """Refused: use `to_json`.

        Raises:
            ImportError: always; there is no YAML here.
        """
        raise ImportError("Requires yaml module installed: use to_json() instead.")

    def prepare_optimizer(self) -> None:
        """Make what the optimizer keeps, before its state is read."""
        if current_mode().eager:
            self.optimizer.prepare_for(self._collected_trainable_weights)
        else:
            self._make_train_function()

    # ------------------------------------------------------------------ parts
    def _children(self):
        """The layers of functional models by number, as TensorFlow names them."""
        found, weighted = [], 0
        deferred = self._network is None
        for i, layer in enumerate(self._numbered_layers()):
            if not deferred and layer.weights:
                found.append((f"layer_with_weights-{weighted}", layer))
                weighted += 1
            found.append((f"layer-{i}", layer))
        found += [(n, p) for n, p in super()._children() if n != "_row"]
        if isinstance(self.optimizer, Trackable):
            found.append(("optimizer", self.optimizer))
        return found

    def _numbered_layers(self):
        if self._network is not None:
            return self._network.layers
        return self.__dict__.get("_row", ())


def _is_checkpoint(path):
    try:
        CheckpointReader(path)
    except DataLossError:
        return False
    return True
