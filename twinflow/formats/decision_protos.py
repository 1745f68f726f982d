"""The protocol buffers of tf.contrib's trees, made at first use.

`ensembles` holds those of tree_config_pb2, `learner` those of learner_pb2 and
split_info_pb2, `quantiles` those of quantiles_pb2, `generic` those of
tf.contrib.decision_trees, `forest` those of tf.contrib.tensor_forest: as in
`ensembles.TreeNode`.
"""

import importlib
from pathlib import Path

_PACKAGES = {  # the file of the schema, the name, and the one whose messages it uses
    "ensembles": ("ensemble_protos", "tensorflow.boosted_trees.trees", None),
    "learner": ("learner_protos", "tensorflow.boosted_trees.learner", "ensembles"),
    "quantiles": ("quantile_protos", "boosted_trees", None),
    "generic": ("generic_tree_protos", "tensorflow.decision_trees", None),
    "forest": ("forest_protos", "tensorflow.tensorforest", "generic"),
}


class Package:
    """The messages and enums of a package, as attributes.

    Args:
        messages: see formats.proto_schema.
    """

    def __init__(self, messages):
        self.messages = messages

    def __getattr__(self, name):
        if name.startswith("_") or name not in self.messages.names:
            raise AttributeError(f"{self.messages.package} has no message {name!r}")
        found = self.messages[name]
        setattr(self, name, found)
        return found


def __getattr__(name):
    if name not in _PACKAGES:
        raise AttributeError(name)
    schema = importlib.import_module("twinflow.formats.proto_schema")
    file, package, below = _PACKAGES[name]
    text = Path(__file__).with_name(f"{file}.txt").read_text(encoding="ascii")
    if below is not None:
        known = globals()
        below = (known[below] if below in known else __getattr__(below)).messages
    found = Package(schema.messages(text, package, below))
    globals()[name] = found
    return found
