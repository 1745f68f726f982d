"""The protocol buffers of tf.contrib's trees, made at first use.

`ensembles` holds those of tree_config_pb2, `learner` those of learner_pb2 and
split_info_pb2, `quantiles` those of quantiles_pb2, `generic` those of
tf.contrib.decision_trees: as in `ensembles.TreeNode`.
"""

import importlib
from pathlib import Path


class Package:
    """The messages and enums of a package, as attributes.

    Args:
        file: of its schema, without an ending. package: the name. below: the Package
            whose messages it uses.
    """

    def __init__(self, file, package, below=None):
        self._file, self._package, self._below = file, package, below

    def made(self):
        """The Messages: see formats.proto_schema."""
        if "_made" not in self.__dict__:
            schema = importlib.import_module("twinflow.formats.proto_schema")
            path = Path(__file__).with_name(f"{self._file}.txt")
            below = None if self._below is None else self._below.made()
            text = path.read_text(encoding="ascii")
            self._made = schema.messages(text, self._package, below)
        return self._made

    def __getattr__(self, name):
        if name.startswith("_") or name not in self.made().names:
            raise AttributeError(f"{self._package} has no message {name!r}")
        found = self.made()[name]
        setattr(self, name, found)
        return found


ensembles = Package("ensemble_protos", "tensorflow.boosted_trees.trees")
learner = Package("learner_protos", "tensorflow.boosted_trees.learner", ensembles)
quantiles = Package("quantile_protos", "boosted_trees")
generic = Package("generic_tree_protos", "tensorflow.decision_trees")
