"""BigtableClient and BigtableTable: datasets of keys and of rows, and back."""

from collections.abc import Callable
from typing import Any

from twinflow.base import dispatch, dtypes
from twinflow.base.advice import advised
from twinflow.base.dispatch import apply
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.data.bigtable import datasets as ops
from twinflow.data.bigtable.tables import ClientCell
from twinflow.data.dataset import Dataset
from twinflow.data.experimental.apply_functions import parallel_interleave
from twinflow.data.functions import Env
from twinflow.formats import google_services
from twinflow.ops.core.constant import convert_to_tensor

_SCANS = 50  # at a time, if nobody says how many
_SHUFFLED = 10_000  # pieces of a table


class BigtableClient:
    """A connection to an instance of Cloud Bigtable.

    Where the environment variable BIGTABLE_EMULATOR_HOST is set, it goes there.

    Args:
        project_id, instance_id: str, their names. connection_pool_size: int, accepted
            as max_receive_message_size is: the package chooses.
    Raises:
        ValueError: `connection_pool_size` is 0 or less.
        UnimplementedError: google-cloud-bigtable is not installed.
    """

    def __init__(
        self, project_id: str, instance_id: str,
        connection_pool_size: int | None = None,
        max_receive_message_size: int | None = None,
    ) -> None:  # fmt: skip
        if connection_pool_size is not None and connection_pool_size <= 0:
            raise ValueError("`connection_pool_size` must be positive")
        google_services.module("google.cloud.bigtable")
        attrs = {
            "project_id": project_id, "instance_id": instance_id,
            "connection_pool_size": connection_pool_size or -1,
            "max_receive_message_size": max_receive_message_size or -1,
            "cell": ClientCell("BigtableClient", project_id, instance_id),
        }  # fmt: skip
        self._resource = apply(ops.BigtableClient, (), attrs)

    def table(self, name: str, snapshot: Any = None) -> "BigtableTable":
        """A table.

        Args:
            name: str. snapshot: accepted, as in TensorFlow.
        """
        table = apply(ops.BigtableTable, (self._resource,), {"table_name": name})
        return BigtableTable(name, snapshot, table)


class BigtableTable:
    """A table of Cloud Bigtable; `BigtableClient.table` makes it.

    Columns are given by their families, as keywords (`cf="a"`, `cf=["a", "b"]`), or as
    pairs in `columns`. Of each cell the newest value is read.

    Args:
        name: str. snapshot: accepted. resource: the handle.
    """

    def __init__(self, name: str, snapshot: Any, resource: Tensor) -> None:
        self._name, self._snapshot, self._resource = name, snapshot, resource

    # ------------------------------------------------------------------ keys
    def keys_by_prefix_dataset(self, prefix: TensorValue) -> Dataset:
        """The keys that begin with a text.

        Args:
            prefix: string[].
        Returns:
            A Dataset of string[].
        """
        return self._dataset("BigtablePrefixKeyDataset", ops.TEXT, prefix)

    def keys_by_range_dataset(self, start: TensorValue, end: Any) -> Dataset:
        """The keys from one on, up to another that is left out.

        Args:
            start, end: string[]; no end, if it is None or "".
        Returns:
            A Dataset of string[].
        """
        return self._dataset("BigtableRangeKeyDataset", ops.TEXT, start, end or "")

    def sample_keys(self) -> Dataset:
        """Keys that part the table into pieces of about one size, string[] each."""
        return self._dataset("BigtableSampleKeysDataset", ops.TEXT)

    # ------------------------------------------------------------------ rows
    def lookup_columns(self, *args: Any, **kwargs: Any) -> Callable:
        """A function for `Dataset.apply`: from keys to their rows.

        Args:
            args: pairs of a family and a column. kwargs: columns by their families.
        Returns:
            From a Dataset of string[] to one of tuples: the key, then the values.
        Raises (when it runs):
            DataLossError: a row or a column of it is not there.
        """
        columns = _columns(list(args), kwargs)

        def found(keys: Dataset) -> Dataset:
            structure = ops.texts(1 + len(columns))
            return ops.looked_up(keys, self._resource, *_parted(columns), structure)

        return found

    def scan_prefix(
        self, prefix: TensorValue, probability: float | None = None,
        columns: Any = None, **kwargs: Any,
    ) -> Dataset:  # fmt: skip
        """The rows whose keys begin with a text.

        Args:
            prefix: string[]. probability: above 0, up to 1, that a row is given.
            columns, kwargs: what to read; see the class.
        Returns:
            A Dataset of tuples of string[]: the key, then the values.
        Raises:
            ValueError: the probability is none, or there are no columns.
        """
        return self._scanned(prefix, "", "", probability, columns, kwargs)

    def scan_range(
        self, start: TensorValue, end: Any, probability: float | None = None,
        columns: Any = None, **kwargs: Any,
    ) -> Dataset:  # fmt: skip
        """The rows with keys from one on, up to another; see `scan_prefix`."""
        return self._scanned("", start, end or "", probability, columns, kwargs)

    def parallel_scan_prefix(
        self, prefix: TensorValue, num_parallel_scans: int | None = None,
        probability: float | None = None, columns: Any = None, **kwargs: Any,
    ) -> Dataset:  # fmt: skip
        """As `scan_prefix`, by several requests at a time and in no certain order.

        Args:
            num_parallel_scans: int, how many requests.
        """
        given = prefix, "", ""
        return self._side_by_side(
            given, num_parallel_scans, probability, columns, kwargs
        )

    def parallel_scan_range(
        self, start: TensorValue, end: Any, num_parallel_scans: int | None = None,
        probability: float | None = None, columns: Any = None, **kwargs: Any,
    ) -> Dataset:  # fmt: skip
        """As `scan_range`, by several requests at a time and in no certain order."""
        given = "", start, end or ""
        return self._side_by_side(
            given, num_parallel_scans, probability, columns, kwargs
        )

    def _scanned(
        self, prefix: Any, start: Any, end: Any, probability: Any, columns: Any,
        more: dict,
    ) -> Dataset:  # fmt: skip
        chance, pairs = _chance(probability), _wanted(columns, more)
        texts = prefix, start, end, *_parted(pairs)
        structure = ops.texts(1 + len(pairs))
        return self._dataset("BigtableScanDataset", structure, *texts, more=[chance])

    def _side_by_side(
        self,
        given: tuple,
        count: int | None,
        probability: Any,
        columns: Any,
        more: dict,
    ) -> Dataset:
        _chance(probability)
        pairs = _wanted(columns, more)
        pieces = self._dataset("BigtableSampleKeyPairsDataset", ops.texts(2), *given)

        def piece(start: Tensor, end: Tensor) -> Dataset:
            return self._scanned("", start, end, probability, pairs, {})

        interleave = parallel_interleave(
            piece, cycle_length=count or _SCANS, prefetch_input_elements=1
        )
        return pieces.shuffle(_SHUFFLED).apply(interleave)

    def _dataset(
        self, kind: str, structure: Any, *texts: Any, more: Any = ()
    ) -> Dataset:
        given = [convert_to_tensor(text, dtypes.string) for text in texts]
        given += [convert_to_tensor(x, dtypes.float32) for x in more]
        return ops.SOURCES[kind](kind, structure, [self._resource, *given])

    # ------------------------------------------------------------------ writing
    def write(
        self,
        dataset: Dataset,
        column_families: Any,
        columns: Any,
        timestamp: Any = None,
    ) -> Any:
        """An operation that writes a dataset (eagerly: write it now).

        Args:
            dataset: of tuples of string[]: a key, then a value for each column.
            column_families, columns: lists of str. timestamp: int, milliseconds since
                1970 that the values are of; the server says it by default.
        Raises:
            ValueError: there are not as many of each, or an element is no text.
        """
        types = dataset.structure.types
        if len(types) != len(columns) + 1:
            raise ValueError(
                "A column name must be specified for every component of the dataset "
                "elements. (e.g.: len(columns) != len(dataset.output_types))"
            )
        if len(column_families) != len(columns):
            raise ValueError("len(column_families) != len(columns)")
        if any(t != dtypes.string for t in types):
            raise ValueError("Not all elements of the dataset were `tf.string`")
        names = [
            convert_to_tensor(x, dtypes.string) for x in (column_families, columns)
        ]
        millis = convert_to_tensor(-1 if timestamp is None else timestamp, dtypes.int64)
        writer = ops.Writer(self._resource, *names, millis)
        if dispatch.current_mode().eager:
            writer.run(dataset, Env())
            return None
        return writer.node(dataset, "DatasetToBigtable")


def _columns(pairs: list, more: dict) -> list:
    """Pairs of a family and a column, of both ways of giving them."""
    found = [(pair[0], pair[1]) for pair in pairs]
    for family, names in more.items():
        names = [names] if isinstance(names, str) else names
        found += [(family, name) for name in names]
    return found


def _wanted(columns: Any, more: dict) -> list:
    pairs = _columns(list(columns or ()), more)
    if not pairs:
        raise ValueError("At least one column + column family must be specified.")
    return pairs


def _chance(probability: float | None) -> float:
    if probability is None:
        return 1.0
    if not 0.0 < probability <= 1.0:
        raise advised(ValueError, "probability must be in the range (0, 1].")
    return probability


def _parted(pairs: list) -> list[Tensor]:
    """The families and the columns of pairs, string[n]."""
    sides = [[pair[i] for pair in pairs] for i in range(2)]
    return [convert_to_tensor(side, dtypes.string) for side in sides]
