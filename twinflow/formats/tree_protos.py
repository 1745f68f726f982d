"""The protocol buffers of boosted trees: `tree_protos.TreeEnsemble`, at first use."""

import importlib
from pathlib import Path


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name == "trees":
        schema = importlib.import_module("twinflow.formats.proto_schema")
        text = Path(__file__).with_suffix(".txt").read_text(encoding="ascii")
        found = schema.messages(text, "tensorflow.boosted_trees")
    else:
        known = globals().get("trees") or __getattr__("trees")
        if name not in known.names:
            raise AttributeError(f"Boosted trees have no message {name!r}")
        found = known[name]
    globals()[name] = found
    return found
