"""The protocol buffers of tf.profiler: `profile_protos.OpLogProto`, at first use."""

import importlib
from pathlib import Path


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name in ("profiles", "pprof"):
        schema = importlib.import_module("twinflow.formats.proto_schema")
        file = "profile_protos.txt" if name == "profiles" else "pprof_protos.txt"
        text = Path(__file__).with_name(file).read_text(encoding="ascii")
        package = "tensorflow.tfprof" + (".pprof" if name == "pprof" else "")
        found = schema.messages(text, package, schema.tensorflow)
    else:
        known = globals()  # what is empty yet is known all the same
        kinds = (
            known[of] if of in known else __getattr__(of)
            for of in ("profiles", "pprof")
        )
        of = next((of for of in kinds if name in of.names), None)
        if of is None:
            raise AttributeError(f"Profiles have no message {name!r}")
        found = of[name]
    globals()[name] = found
    return found
