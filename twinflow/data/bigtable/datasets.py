"""The ops of Bigtable: its handles, and datasets of keys and rows.

Each source is a function from an Env to one, of the tensors (or arrays) of a table and
of texts, as data.dataset has them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.op import define
from twinflow.base.tensor import Tensor
from twinflow.data.bigtable.tables import ClientCell, TableCell, prefixed
from twinflow.data.dataset import Dataset
from twinflow.data.functions import Env, symbolic
from twinflow.data.iterators.ops import export_element, with_dataset
from twinflow.data.kernels import writing
from twinflow.data.kernels.values import form_of, of_tensor
from twinflow.data.pipeline import stages
from twinflow.data.structure import Structure
from twinflow.execute.interpreter import special_steps
from twinflow.graph.graph_def import made
from twinflow.ops.strings.arrays import one

TEXT = Structure(None, (dtypes.string,), ((),))


def _client(name: str, attrs: dict) -> ClientCell:
    return ClientCell(name, attrs["project_id"], attrs["instance_id"])


BigtableClient = define(
    "BigtableClient",
    infer=lambda **attrs: (),
    host=lambda cell, **attrs: cell,
    attrs={"cell": None},
    cell="cell",
    home=_client,
    stateful=True,
)
BigtableTable = define(
    "BigtableTable",
    infer=lambda client, **attrs: (),
    host=lambda client, table_name, **attrs: TableCell(client, table_name),
    stateful=True,
)


# ---------------------------------------------------------------------- sources
def _source(function: Callable) -> Callable:
    """A dataset of what `function(table, *texts)` gives, from its tensors.

    Args:
        function: gives rows, lists of bytes.
    """

    def made(kind: str, structure: Structure, tensors: list) -> Dataset:
        def start(env: Env) -> Any:
            table, *texts = map(env.value, tensors)

            def elements() -> Any:
                for row in function(table, *map(_plain, texts)):
                    yield [np.array(value, object) for value in row]

            return stages.generated(elements)

        inputs = [t for t in tensors if isinstance(t, Tensor)]
        return Dataset(kind, structure, start, inputs)

    return made


def _plain(array: Any) -> Any:
    """Bytes, a list of them, or a number."""
    array = np.asarray(array)
    if array.dtype != object:
        return array.item()
    return list(array) if array.ndim else one(array)


def _scanned(
    table: TableCell, prefix: bytes, start: bytes, end: bytes, families: list,
    columns: list, probability: float,
) -> Any:  # fmt: skip
    found = prefixed(prefix) if prefix else (start, end)
    return table.scan(*found, list(zip(families, columns, strict=True)), probability)


def _pieces(table: TableCell, prefix: bytes, start: bytes, end: bytes) -> Any:
    return table.pieces(*(prefixed(prefix) if prefix else (start, end)))


SOURCES = {
    "BigtablePrefixKeyDataset": _source(lambda table, p: table.keys(*prefixed(p))),
    "BigtableRangeKeyDataset": _source(lambda table, *ends: table.keys(*ends)),
    "BigtableSampleKeysDataset": _source(
        lambda table: ([key] for key in table.samples())
    ),
    "BigtableSampleKeyPairsDataset": _source(_pieces),
    "BigtableScanDataset": _source(_scanned),
}


def looked_up(
    keys: Dataset, table: Any, families: Any, columns: Any, structure: Structure
) -> Dataset:
    """The rows of the keys that a dataset has.

    Args:
        families, columns: string[n]. structure: n + 1 texts.
    """
    tensors = [table, families, columns]

    def step(env: Env, source: Any) -> Any:
        cell, *names = map(env.value, tensors)
        wanted = list(zip(*map(_plain, names), strict=True))

        def elements() -> Any:
            for (key,) in source():
                row = cell.lookup(one(key), wanted)
                yield [np.array(value, object) for value in row]

        return stages.generated(elements)

    inputs = [t for t in tensors if isinstance(t, Tensor)]
    return keys._then("BigtableLookupDataset", step, structure, inputs)


# ---------------------------------------------------------------------- nodes
def _of_node(kind: str) -> Callable:
    def make(known: Any, *inputs: Any) -> Dataset:
        count = {"BigtableScanDataset": 1 + np.size(inputs[-2])}.get(kind, 1)
        count += kind == "BigtableSampleKeyPairsDataset"
        return SOURCES[kind](kind, texts(count), list(inputs))

    return make


def _lookup(known: Any, keys: Dataset, *inputs: Any) -> Dataset:
    return looked_up(keys, *inputs, texts(1 + np.size(inputs[-1])))


TABLE = {kind: _of_node(kind) for kind in SOURCES}
TABLE["BigtableLookupDataset"] = _lookup


def _inputs(writer: Any, dataset: Dataset) -> tuple:
    """What a node of such a dataset takes, for data.kernels.writing."""
    given = dataset._link.inputs if dataset._link else dataset._given
    return dataset._kind, [writer.ref(t) for t in given], {}


writing.TABLE.update(dict.fromkeys(TABLE, _inputs))


def texts(count: int) -> Structure:
    """The Structure of elements of so many texts."""
    return form_of((dtypes.string,) * count, ((),) * count)


# ---------------------------------------------------------------------- writing
DatasetToBigtable = define(
    "DatasetToBigtable(inputs: *Tin) -> (); dataset=None, writer=None",
    infer=None,
    export=with_dataset(export_element),
    stateful=True,
    host=True,
)


class Writer:
    """Writes a dataset to a table.

    Args:
        table, families, columns, millis: tensors.
    """

    def __init__(self, *tensors: Any) -> None:
        self.tensors = tensors

    def run(self, dataset: Dataset, env: Env) -> None:
        """Write all elements."""
        table, *texts, millis = map(env.value, self.tensors)
        columns = list(zip(*map(_plain, texts), strict=True))
        rows = ([one(value) for value in row] for row in dataset.start(env)())
        table.write(rows, columns, int(np.asarray(millis)))

    def node(self, dataset: Dataset, name: str) -> Any:
        """The operation that does it."""
        graph = dispatch.current_mode()
        inputs = symbolic([*dataset.inputs, *self.tensors])
        attrs = {"dataset": dataset, "writer": (self, inputs)}
        args = [[graph.tensor(t) for t in inputs]]
        return graph.append_node(DatasetToBigtable, args, attrs, name, [])


def _write_step(asm: Any, node: Any, program: Any) -> Callable:
    places = [asm.slot(t, program) for t in node.inputs]
    dataset, (writer, inputs) = node.attrs["dataset"], node.attrs["writer"]

    def run(v: list) -> None:
        values = dict(zip(inputs, [v[i] for i in places], strict=True))
        writer.run(dataset, Env(values, asm.cell_of))

    return run


def _imported(graph: Any, name: str, args: list, attrs: dict) -> None:
    table, variant, families, columns, millis = args
    count = families._shape[0] if families._shape else 1
    dataset = of_tensor(variant, texts(1 + (count or 1)))
    Writer(table, families, columns, millis).node(dataset, name)


special_steps["DatasetToBigtable"] = _write_step
made.RULES["DatasetToBigtable"] = _imported
