"""`twinflow convert`: a file in another format.

FORMATS says of each format what it can be read as and written from: a Keras "model", a
"graph" without variables, or named "values". A pair makes sense where both know one.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from google.protobuf import message, text_format

from twinflow.base import files, progress, unfinished
from twinflow.base.damage import UnreadableFile
from twinflow.cli import ckpt, drawing
from twinflow.execute.session import Session
from twinflow.export.folders import get_variables_path
from twinflow.export.loading import load, maybe_saved_model_directory
from twinflow.export.saved_model import simple_save
from twinflow.formats import checkpoint_v2, protos, safetensors
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.graph.graph_def.surgery import convert_variables_to_constants
from twinflow.interchange.lite.exporting import export as lite_export
from twinflow.interchange.onnx.exporting import export as onnx_export
from twinflow.interchange.stablehlo import export as stablehlo_export
from twinflow.keras.backend import sessions
from twinflow.keras.saving import hdf5, keras3_weights
from twinflow.keras.saving.whole_models import load_model


class Format(NamedTuple):
    """What a format can be read as and written from.

    Args:
        name: what it is called. readers: {kind: path -> thing}. writers: {kind:
            (thing, path) -> None}.
    """

    name: str
    readers: dict[str, Callable]
    writers: dict[str, Callable]


# ------------------------------------------------------------------ reading
def _values_of_hdf5(path: str) -> dict:
    found: dict = {}
    with hdf5.read(path, "convert") as file:
        names: list = []
        file.visit(names.append)
        for name in names:
            if hasattr(file[name], "dtype"):
                found[name] = hdf5.array_of(file, name)
    return found


def _graph(path: str) -> Any:
    content = files.read_file_to_string(path, binary_mode=True)
    try:
        if path.endswith(".pbtxt"):
            return text_format.Parse(content.decode(), protos.GraphDef())
        return protos.GraphDef.FromString(content)
    except (message.DecodeError, text_format.ParseError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{path} holds no GraphDef: {error}") from None


def _graph_of_saved_model(path: str) -> Any:
    with Session(graph=Graph()) as session:
        meta = load(session, ["serve"], path)
        signatures = {k: s for k, s in meta.signature_def.items() if s.outputs}
        chosen = signatures.get("serving_default") or next(iter(signatures.values()))
        names = [t.name.partition(":")[0] for t in chosen.outputs.values()]
        return _frozen(session, names)


def _frozen(session: Any, names: list) -> Any:
    whole = session.graph.as_graph_def()
    return convert_variables_to_constants(session, whole, sorted(set(names)))


def _graph_of_model(model: Any) -> Any:
    names = [t.op.name for t in model.outputs]
    return _frozen(sessions.get_session(), names)


# ------------------------------------------------------------------ writing
def _write_checkpoint(values: dict, path: str) -> None:
    checkpoint_v2.write_bundle(path, [(n, v, None) for n, v in values.items()])


def _write_graph(graph_def: Any, path: str) -> None:
    content = graph_def.SerializeToString()
    if path.endswith(".pbtxt"):
        content = text_format.MessageToString(graph_def).encode()
    unfinished.write(path, content)


def _write_saved_model(model: Any, path: str) -> None:
    inputs = {t.op.name: t for t in model.inputs}
    outputs = {t.op.name: t for t in model.outputs}
    simple_save(sessions.get_session(), path, inputs, outputs)


def _exported(export: Callable) -> dict:
    """Writers of what ONNX or jax runs: models, and graphs by their ends."""
    return {
        "model": lambda model, path: export(model, path),
        "graph": lambda graph_def, path: _export_graph(export, graph_def, path),
    }


def _ends(graph_def: Any) -> list[str]:
    """The nodes of the default graph that give what no other one uses."""
    graph, nodes = get_default_graph(), graph_def.node
    used = {i.removeprefix("^").partition(":")[0] for n in nodes for i in n.input}
    ends = [n.name for n in nodes if n.name not in used and n.op != "Placeholder"]
    return [n for n in ends if graph.get_operation_by_name(n).outputs]


def _export_graph(export: Callable, graph_def: Any, path: str) -> None:
    import_graph_def(graph_def, name="")
    graph = get_default_graph()
    outputs = {n: f"{n}:0" for n in _ends(graph_def)}
    with Session(graph=graph) as session:
        export(session, path, outputs=outputs)


def _write_lite(graph_def: Any, path: str) -> None:
    with Graph().as_default() as graph:
        import_graph_def(graph_def, name="")
        nodes = [n for n in graph.get_operations() if n.type == "Placeholder"]
        inputs = [(n.name, _sizes(n.outputs[0])) for n in nodes]
        content = lite_export(graph_def, inputs, _ends(graph_def))
    unfinished.write(path, content)


def _sizes(t: Any) -> list[int]:
    """The shape of an input, of one example if batches are open."""
    shape = t._shape
    if shape is None or None in shape[1:]:
        raise ValueError(
            f"TensorFlow Lite wants inputs of known shapes, and '{t.op.name}' has "
            f"{t.get_shape()}: use tf.lite.TFLiteConverter with input_shapes."
        )
    return [1 if n is None else n for n in shape]


_SAVE = {"model": lambda model, path: model.save(path)}
_LOAD = {"model": load_model}
FORMATS: dict[str, Format] = {
    ".weights.h5": Format(
        "Keras weights", {"values": _values_of_hdf5},
        {"model": lambda model, path: model.save_weights(path)},
    ),
    ".keras": Format("a Keras model", _LOAD, _SAVE),
    ".h5": Format("a Keras model in HDF5", _LOAD, _SAVE),
    ".safetensors": Format(
        "safetensors", {"values": ckpt.values},
        {"values": lambda values, path: safetensors.write(path, values)},
    ),
    ".pb": Format("a GraphDef", {"graph": _graph}, {"graph": _write_graph}),
    ".pbtxt": Format("a GraphDef as text", {"graph": _graph}, {"graph": _write_graph}),
    ".onnx": Format("an ONNX model", {}, _exported(onnx_export)),
    ".stablehlo": Format("StableHLO", {}, _exported(stablehlo_export)),
    ".tflite": Format("a TensorFlow Lite model", {}, {"graph": _write_lite}),
    "/": Format(
        "a SavedModel",
        {"graph": _graph_of_saved_model,
         "values": lambda path: ckpt.values(get_variables_path(path))},
        {"model": _write_saved_model},
    ),
    "": Format("a checkpoint", {"values": ckpt.values}, {"values": _write_checkpoint}),
}  # fmt: skip
_PARTS = {"model": {"values": keras3_weights.by_name, "graph": _graph_of_model}}


# ------------------------------------------------------------------ the command
def main(source: str, target: str, quiet: bool = False) -> int:
    """Carry out the command; returns the exit status."""

    def work() -> int:
        with progress.operation(f"{source} -> {target}"):
            convert(source, target)
        if not quiet:
            print(f"{source} -> {target}")
        return 0

    with progress.quiet(quiet):
        return drawing.guarded("convert", work)


def convert(source: str, target: str) -> None:
    """Write what is in a file to another one, in the format that its ending says.

    Raises:
        ValueError: the pair makes no sense; the text says which do.
    """
    old, new = _format(source), _format(target, is_new=True)
    for kind, read in old.readers.items():
        ways = {kind: None, **_PARTS.get(kind, {})}
        for wanted, part in ways.items():
            if wanted in new.writers:
                with Graph().as_default():
                    thing = read(source)
                    thing = thing if part is None else part(thing)
                    new.writers[wanted](thing, target)
                return
    raise ValueError(
        f"{source} is {old.name}, and {target} would be {new.name}: nothing of the one "
        f"makes the other. {old.name.capitalize()} can become "
        f"{', '.join(_targets(old)) or 'nothing'}."
    )


def _format(path: str, is_new: bool = False) -> Format:
    for ending in sorted(filter(None, FORMATS), key=len, reverse=True):
        if ending != "/" and path.endswith(ending):
            return FORMATS[ending]
    is_folder = path.endswith("/") if is_new else maybe_saved_model_directory(path)
    return FORMATS["/" if is_folder else ""]


def _targets(old: Format) -> list:
    """The formats that something can become, with their endings."""
    kinds = set(old.readers)
    kinds.update(part for k in old.readers for part in _PARTS.get(k, ()))
    return [
        f"{new.name}{f' ({ending})' * bool(ending)}"
        for ending, new in FORMATS.items()
        if kinds & set(new.writers)
    ]
