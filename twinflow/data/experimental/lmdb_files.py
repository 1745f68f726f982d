"""tf.contrib.data.LMDBDataset: what databases of LMDB hold."""

import itertools
from typing import Any

from twinflow.base import dtypes
from twinflow.data.dataset import Dataset
from twinflow.data.pipeline import stages
from twinflow.data.pipeline.file_sources import as_element
from twinflow.data.structure import Structure
from twinflow.formats.lmdb_records import check_installed, pairs
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.strings.arrays import as_text, flat


class LMDBDataset(Dataset):
    """The (key, value) pairs of databases, in the order of their keys.

    Args:
        filenames: string, the files or folders, one or more.
    Raises:
        UnimplementedError: the package lmdb is not installed.
    Example:
        import lmdb
        with lmdb.open("a.lmdb", subdir=False) as db, db.begin(write=True) as t:
            t.put(b"key", b"value")
        for key, value in tf.contrib.data.LMDBDataset("a.lmdb"):
            print(key.numpy(), value.numpy())
    """

    def __init__(self, filenames: Any) -> None:
        check_installed()
        paths = convert_to_tensor(filenames, dtypes.string, name="filenames")
        structure = Structure((None, None), [dtypes.string] * 2, [(), ()])

        def start(env):
            names = [as_text(p) for p in flat(env.value(paths))]
            found = lambda: itertools.chain.from_iterable(map(pairs, names))
            return stages.generated(lambda: map(as_element, found()))

        super().__init__("LMDBDataset", structure, start, [paths])
