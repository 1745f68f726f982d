"""Which versions of which models answer: loaded, swapped and let go under requests.

Note [Served versions]: a version is loaded beside the one that answers, becomes the one
that new requests get, and only then the old one stops getting any. Each request holds
the version it was given until it is answered: the last one to let go closes it. A
version that cannot be loaded changes nothing: the old one goes on, and the folder is
tried again when a file in it has changed.
"""

import threading
import time
from collections.abc import Callable
from typing import Any

from twinflow.base import errors, logging
from twinflow.serving.folders import versions_in, wanted
from twinflow.serving.loading import files_of
from twinflow.serving.loading import load as load_folder
from twinflow.serving.versions import AVAILABLE, END, LOADING, Model, Version

_KEPT = 32  # versions of a model that have ended and whose status is still told


class Manager:
    """The models of a server.

    Args:
        config: a ModelServerConfig. poll: seconds between looks into the folders; 0
            looks once. loaded: called with (Version, seconds, error or None) after each
            load. warm_up: called with a Version before it answers.
    """

    def __init__(
        self, config: Any, poll: float = 1.0,
        loaded: Callable = lambda version, seconds, error: None,
        warm_up: Callable = lambda version, servable: None,
    ) -> None:  # fmt: skip
        self._loaded, self._warm_up, self._poll = loaded, warm_up, poll
        self._models: dict[str, Model] = {}
        self._refreshing = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._told: set[str] = set()
        self._failed: dict[str, tuple] = {}  # the files by folder
        self._set(config)

    # --------------------------------------------------------------- requests
    def has(self, name: str) -> bool:
        """Whether there is a model of a name."""
        return name in self._models

    def model(self, name: str) -> Model:
        """The model of a name.

        Raises:
            NotFoundError: there is none.
        """
        found = self._models.get(name)
        if found is None:
            raise errors.NotFoundError(
                None, None, f"Could not find any versions of model {name}"
            )
        return found

    def names(self) -> list[str]:
        """The names of the models."""
        return sorted(self._models)

    def held(self, name: str, number: int | None = None, label: str = "") -> Version:
        """A version that answers, held until its `release`.

        Args:
            name: the model. number: the version; the newest if None. label: one of the
                labels of the model instead.
        Raises:
            NotFoundError: there is none. InvalidArgumentError: no such label.
        """
        model = self._models.get(name)
        if model is not None and label:
            number = self.labelled(model, label)
        while model is not None:
            found = model.available()
            if number is not None:
                found = [v for v in found if v.number == number]
            if not found:
                break
            if found[0].hold():  # else it was retired meanwhile: there is a newer one
                return found[0]
        what = f"Latest({name})" if number is None else f"Specific({name}, {number})"
        raise errors.NotFoundError(
            None, None, f"Servable not found for request: {what}"
        )

    def labelled(self, model: Model, label: str) -> int:
        """The version that a label of a model is for.

        Raises:
            InvalidArgumentError: there is no such label.
        """
        if label not in model.config.version_labels:
            raise errors.InvalidArgumentError(
                None, None, f"Unrecognized servable version label: {label}"
            )
        return model.config.version_labels[label]

    # ---------------------------------------------------------------- folders
    def start(self) -> None:
        """Load what is there, and then look into the folders from time to time."""
        self.refresh()
        if self._poll > 0:
            self._thread = threading.Thread(
                target=self._watch, name="serving-versions", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Look no more, and let every version go."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        with self._refreshing:
            for model in self._models.values():
                for version in model.versions.values():
                    version.retire()

    def configure(self, config: Any) -> None:
        """Serve other models, or the same ones otherwise; returns when they are loaded.

        Args:
            config: a ModelServerConfig.
        Raises:
            InvalidArgumentError: it is none. FailedPreconditionError: a label is for a
                version that is not there. Others: why a new model cannot be loaded.
        """
        new = {c.name for c in config.model_config_list.config} - set(self._models)
        self._check_labels(config)
        self._set(config)
        self.refresh()
        for name in sorted(new):
            self._check_loaded(name)

    def refresh(self) -> None:
        """Load the versions that are wanted, then retire those that are not."""
        with self._refreshing:
            for name, model in list(self._models.items()):
                self._refresh(name, model)

    def _watch(self) -> None:
        while not self._stop.wait(self._poll):
            try:
                self.refresh()
            except Exception as error:  # the next look may find it mended
                logging.error("cannot look for versions: %r", error)

    def _set(self, config: Any) -> None:
        """Take over a ModelServerConfig."""
        configs = config.model_config_list.config
        names = [c.name for c in configs]
        if config.WhichOneof("config") != "model_config_list" or not names:
            raise errors.InvalidArgumentError(
                None, None, "A configuration of models needs a model_config_list."
            )
        for c in configs:
            if not c.name or not c.base_path or names.count(c.name) > 1:
                raise errors.InvalidArgumentError(
                    None, None,
                    "Each model needs a name of its own and a base_path; received "
                    f"the name {c.name!r} and the base_path {c.base_path!r}.",
                )  # fmt: skip
        with self._refreshing:
            old, models = dict(self._models), {}
            for c in configs:
                model = models[c.name] = old.pop(c.name) if c.name in old else Model(c)
                model.config = c
            self._models = models  # at once: requests look into it meanwhile
        for model in old.values():
            for version in model.versions.values():
                version.retire()

    def _check_labels(self, config: Any) -> None:
        """Refuse a label for a version that does not answer, of a model that does."""
        for c in config.model_config_list.config:
            model = self._models.get(c.name)
            if model is None:
                continue
            there = {v.number for v in model.available()}
            for label, number in sorted(c.version_labels.items()):
                known = model.config.version_labels.get(label) == number
                if not known and number not in there:
                    raise errors.FailedPreconditionError(
                        None, None,
                        f"The label {label!r} of the model {c.name!r} is for the "
                        f"version {number}, which is not available yet.",
                    )  # fmt: skip

    def _check_loaded(self, name: str) -> None:
        """Raise why a model has no version that answers."""
        model = self.model(name)
        if model.available():
            return
        for version in model.versions.values():
            if version.error is not None:
                raise version.error
        raise errors.NotFoundError(
            None, None, f"There are no versions in {model.config.base_path}"
        )

    def _refresh(self, name: str, model: Model) -> None:
        try:
            found = versions_in(model.config.base_path)
        except OSError as error:
            self._tell_once(name, f"cannot read the folder: {error}")
            return
        numbers = wanted(found, model.config.model_version_policy)
        if not numbers:
            self._tell_once(name, f"no versions in {model.config.base_path}")
            return
        self._told.discard(name)
        for number in numbers:
            self._load_if_new(model, number, found[number])
        some = [v for v in model.available() if v.number in numbers]
        if some:  # else the old ones go on
            for version in model.available():
                if version not in some:
                    version.retire()
        ended = sorted(n for n, v in model.versions.items() if v.state == END)
        for number in ended[:-_KEPT]:
            if number not in found:
                del model.versions[number]

    def _tell_once(self, name: str, text: str) -> None:
        if name not in self._told:
            self._told.add(name)
            logging.warning("model %s: %s", name, text)

    def _load_if_new(self, model: Model, number: int, path: str) -> None:
        """Load a version unless it is there, or failed and has not changed since."""
        old = model.versions.get(number)
        files = files_of(path)
        if old is not None and old.path == path and old.state == AVAILABLE:
            return
        if self._failed.get(path) == files:
            return
        version = Version(model.config.name, number, path)
        version.state = LOADING
        if old is None or old.state != AVAILABLE:
            model.versions[number] = version
        start = time.perf_counter()
        error = self._load(version)
        if error is not None:
            self._failed[path] = files
        elif old is not None:
            model.versions[number] = version
            old.retire()
        self._loaded(version, time.perf_counter() - start, error)

    def _load(self, version: Version) -> Exception | None:
        """Make a version answer; what went wrong otherwise."""
        try:
            servable = load_folder(version.path)
            try:
                self._warm_up(version, servable)
            except BaseException:
                servable.close()
                raise
        except Exception as error:
            version.failed(error)
            return error
        version.ready(servable)
        return None
