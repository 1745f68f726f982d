"""tf.data.experimental.TFRecordWriter: a dataset of records as a file."""

import contextlib
from typing import Any

from twinflow.base import dispatch, dtypes, errors, progress, stores, unfinished
from twinflow.base.errors import invalid
from twinflow.base.files import translated
from twinflow.base.op import define
from twinflow.base.shapes import TensorShape
from twinflow.data.dataset import Dataset
from twinflow.data.functions import Env, symbolic
from twinflow.data.iterators.ops import export_element, with_dataset
from twinflow.execute.interpreter import special_steps
from twinflow.formats.tf_record import TFRecordOptions
from twinflow.formats.tf_record import TFRecordWriter as RecordFile
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.strings.arrays import as_text, one

DatasetToTFRecord = define(
    "DatasetToTFRecord(inputs: N*Tin) -> (); dataset=None, writer=None",
    infer=None,
    export=with_dataset(export_element),
    stateful=True,
    host=True,
)


class TFRecordWriter:
    """Writes a dataset of strings to a TFRecord file.

    Args:
        filename: string[], the path. compression_type: "", "ZLIB" or "GZIP".
    Example:
        d = tf.data.Dataset.from_tensor_slices(["a", "b"])
        write = tf.data.experimental.TFRecordWriter("out.tfrecord").write(d)
        [r.numpy() for r in tf.data.TFRecordDataset("out.tfrecord")]  # [b"a", b"b"]
    """

    def __init__(self, filename: Any, compression_type: str | None = None) -> None:
        string = dtypes.string
        self._filename = convert_to_tensor(filename, string, name="filename")
        self._compression = convert_to_tensor(
            compression_type or "", string, name="compression_type"
        )

    @property
    def texts(self) -> tuple[Any, ...]:
        """The tensors of the path and of the compression."""
        return self._filename, self._compression

    def write(self, dataset: Any) -> Any:
        """An operation that writes all elements (eagerly: write them now).

        The file is there when all of it has been written.

        Raises:
            TypeError: its elements are no string scalars.
        """
        if not isinstance(dataset, Dataset):
            raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
        types, shapes = dataset.output_types, dataset.output_shapes
        if types != dtypes.string or shapes != TensorShape([]):
            raise TypeError(
                "`dataset` must produce scalar `DT_STRING` tensors whereas it produces "
                f"shape {shapes} and types {types}"
            )
        mode = dispatch.current_mode()
        if mode.eager:
            self._run(dataset, Env())
            return None
        inputs = symbolic([*dataset.inputs, self._filename, self._compression])
        attrs = {"dataset": dataset, "writer": (self, inputs)}
        args = [[mode.tensor(t) for t in inputs]]
        return mode.append_node(DatasetToTFRecord, args, attrs, "DatasetToTFRecord", [])

    def _run(self, dataset, env):
        path = as_text(one(env.value(self._filename)))
        kind = as_text(one(env.value(self._compression)))
        if kind not in TFRecordOptions.compression_type_map.values():
            raise invalid(f"Unsupported compression_type: {kind}.")
        with (
            progress.operation(f"writing {path}"),
            _replacing(path) as temporary,
            RecordFile(temporary, kind) as file,
        ):
            for (record,) in progress.over("records", dataset.start(env)()):
                file.write(one(record))


@contextlib.contextmanager
def _replacing(path):
    """A path beside `path`, which takes its place if all goes well."""
    unfinished.sweep(stores.dirname(path))
    with translated(path), unfinished.beside(path) as temporary:
        try:
            yield temporary
            stores.replace(temporary, path)
        except errors.OpError as error:
            if temporary not in error.message:
                raise
            text = error.message.replace(temporary, path)
            raise type(error)(None, None, text) from error


def _write_step(asm, node, program):
    places = [asm.slot(t, program) for t in node.inputs]
    dataset, (writer, inputs) = node.attrs["dataset"], node.attrs["writer"]

    def run(v):
        values = dict(zip(inputs, [v[i] for i in places]))
        writer._run(dataset, Env(values, asm.cell_of))

    return run


special_steps["DatasetToTFRecord"] = _write_step
