"""TensorFlow 1.12's protocol buffers: `protos.GraphDef`, loaded at first use.

The library of protocol buffers takes a while to load: modules that every program needs
import this one, not names of it. formats.proto_schema says how messages are made.
"""

import importlib


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    schema = importlib.import_module("twinflow.formats.proto_schema")
    if name in ("Messages", "messages", "tensorflow"):
        return getattr(schema, name)
    if name not in schema.tensorflow.names:
        raise AttributeError(f"TensorFlow 1.12 has no message {name!r}")
    found = globals()[name] = schema.tensorflow[name]
    return found


def __dir__():
    return sorted(name for name in __getattr__("tensorflow").names if "." not in name)
