"""`twinflow saved-model`: the signatures of a SavedModel, and one run of them."""

import ast
import io
import re
from typing import Any

import numpy as np

from twinflow.base import dtypes, unfinished
from twinflow.cli import drawing
from twinflow.cli.graph_summary import meta_graph
from twinflow.execute.session import Session
from twinflow.export.loading import load, read_saved_model
from twinflow.graph.graph import Graph

_FILLED = {"zeros": np.zeros, "ones": np.ones}
_CALL = re.compile(r"(zeros|ones)\(([\d, ]*)\)")


# ------------------------------------------------------------------ show
def show(
    folder: str, tags: str | None = None, signature: str | None = None,
    as_json: bool = False,
) -> int:  # fmt: skip
    """List what the signatures take and give."""

    def work() -> int:
        found = _described(folder, tags)
        if signature is not None:
            found = {
                tag: {signature: _chosen(one, signature)} for tag, one in found.items()
            }
        if as_json:
            drawing.write_json(found)
        else:
            _tell(found)
        return 0

    return drawing.guarded("saved-model", work)


def _described(folder: str, tags: str | None) -> dict[str, dict]:
    """{tags: {signature: {"method", "inputs", "outputs"}}}"""
    if tags is not None:
        return {tags: _signatures(meta_graph(folder, tags))}
    return {
        ",".join(sorted(meta.meta_info_def.tags)): _signatures(meta)
        for meta in read_saved_model(folder).meta_graphs
    }


def _signatures(meta: Any) -> dict[str, dict]:
    return {
        name: {"method": one.method_name,
               "inputs": {n: _type(t) for n, t in sorted(one.inputs.items())},
               "outputs": {n: _type(t) for n, t in sorted(one.outputs.items())}}
        for name, one in sorted(meta.signature_def.items())
        if not name.startswith("__")
    }  # fmt: skip


def _type(info: Any) -> dict[str, Any]:
    shape = info.tensor_shape
    sizes = None if shape.unknown_rank else [d.size for d in shape.dim]
    kind = dtypes.as_dtype(info.dtype).name if info.dtype else "resource"
    return {"dtype": kind, "shape": sizes, "tensor": info.name}


def _tell(found: dict[str, dict]) -> None:
    for tag, signatures in found.items():
        print(f"graph with the tags {tag}: {len(signatures)} signatures")
        for name, one in signatures.items():
            rows = [(f"  {end} {n}", _shown(t), t["tensor"]) for end in
                    ("inputs", "outputs") for n, t in one[end].items()]  # fmt: skip
            title = f"{name}  {one['method']}".rstrip()
            drawing.show(rows, ("name", "type", "tensor"), title=f"\n{title}")


def _shown(kind: dict) -> str:
    if kind["shape"] is None:
        return f"{kind['dtype']}, any shape"
    sizes = ["?" if size < 0 else str(size) for size in kind["shape"]]
    return f"{kind['dtype']}[{', '.join(sizes)}]"


def _chosen(signatures: Any, name: str) -> Any:
    if name not in signatures:
        known = ", ".join(sorted(signatures)) or "none"
        raise ValueError(f"there is no signature {name!r}; there are: {known}")
    return signatures[name]


# ------------------------------------------------------------------ run
def run(
    folder: str, signature: str, inputs: tuple[str, ...], tags: str | None = None,
    target: str | None = None,
) -> int:  # fmt: skip
    """Run a signature, and print what it gives, or keep it in a .npz file."""

    def work() -> int:
        meta = meta_graph(folder, tags)
        wanted = _chosen(meta.signature_def, signature)
        values = _taken(inputs, wanted)
        with Session(graph=Graph()) as session:
            load(session, list(meta.meta_info_def.tags), folder)
            fetches = {name: t.name for name, t in wanted.outputs.items()}
            feeds = {wanted.inputs[name].name: x for name, x in values.items()}
            given = session.run(fetches, feeds)
        _hand_out(given, target)
        return 0

    return drawing.guarded("saved-model", work)


def _hand_out(given: dict[str, Any], target: str | None) -> None:
    if target is None:
        for name, value in given.items():
            print(f"{name} {np.asarray(value).dtype}{list(np.shape(value))}\n{value}")
        return
    content = io.BytesIO()
    np.savez(content, **given)
    unfinished.write(target, content.getvalue())
    print(f"{', '.join(given)} -> {target}")


def _taken(texts: tuple[str, ...], signature: Any) -> dict[str, np.ndarray]:
    """{input: its array} of `NAME=VALUE` texts."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name not in signature.inputs:
            raise ValueError(f"--input takes NAME=VALUE with one of the names "
                             f"{sorted(signature.inputs)}, got {text!r}")  # fmt: skip
        kind = dtypes.as_dtype(signature.inputs[name].dtype).as_numpy_dtype
        found[name] = np.asarray(value_of(value), kind)
    missing = sorted(set(signature.inputs) - set(found))
    if missing:
        raise ValueError(f"the signature needs --input {missing[0]}=VALUE, too")
    return found


def value_of(text: str) -> Any:
    """What a text stands for: a literal, `zeros(2, 3)`, `@file.npy`, `@file.npz:key`.

    Raises:
        ValueError: it is none of these. Nothing in it is run.
    """
    if text.startswith("@"):
        return _of_file(text[1:])
    call = _CALL.fullmatch(text.strip())
    if call is not None:
        return _FILLED[call[1]]([int(n) for n in call[2].split(",") if n.strip()])
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise ValueError(
            f"{text!r} is no Python literal such as [[1, 2]], no zeros(2, 3) or "
            "ones(2, 3), and no @file.npy or @file.npz:key"
        ) from None


def _of_file(path: str) -> Any:
    name, _, key = path.partition(".npz:")
    opened = np.load(f"{name}.npz" if key else path, allow_pickle=False)
    if isinstance(opened, np.ndarray):
        return opened
    keys = opened.files
    chosen = key or keys[0]
    if chosen not in keys or (not key and len(keys) > 1):
        raise ValueError(f"{path} holds {keys}: give @{name}.npz:KEY")
    return opened[chosen]
