"""BigQueryReader: a reader of tables of BigQuery."""

from typing import Any

from twinflow.base.dispatch import apply
from twinflow.base.tensor import Tensor
from twinflow.formats import google_services
from twinflow.ops.queues import reader_ops as ops
from twinflow.ops.queues.readers import ReaderBase, made


class BigQueryReader(ReaderBase):
    """Gives the rows of a table of BigQuery: (number of the row, a tf.Example).

    Args:
        project_id, dataset_id, table_id: str. timestamp_millis: int, the time, in
            milliseconds since 1970, that the table is read as of.
        num_partitions: int, into how many pieces `partitions` cuts it.
        features: {name: FixedLenFeature or VarLenFeature} as tf.parse_example takes
            them, or columns: list of str. test_end_point: str, the address of a server
            in BigQuery's place. name: the name of the node.
    Raises:
        TypeError: both or neither of `features` and `columns` are given, or one is no
            dict or list.
        UnimplementedError: google-cloud-bigquery is not installed.
    """

    def __init__(
        self, project_id: str, dataset_id: str, table_id: str, timestamp_millis: int,
        num_partitions: int, features: dict | None = None, columns: Any = None,
        test_end_point: str | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        if (features is None) == (columns is None):
            raise TypeError("exactly one of features and columns must be set.")
        if features is not None and not isinstance(features, dict):
            raise TypeError("features must be a dict.")
        if columns is not None and not isinstance(columns, list):
            raise TypeError("columns must be a list.")
        google_services.module("google.cloud.bigquery")
        self._table = {
            "project_id": project_id, "dataset_id": dataset_id, "table_id": table_id,
            "timestamp_millis": timestamp_millis,
            "columns": sorted(features) if features is not None else columns,
            "test_end_point": test_end_point or "",
        }  # fmt: skip
        self._count = num_partitions
        super().__init__(made(ops.BigQueryReader, name, **self._table))

    def partitions(self, name: str | None = None) -> Tensor:
        """string[n], the pieces of the table, for the queue that `read` takes."""
        attrs = {**self._table, "num_partitions": self._count}
        return apply(ops.GenerateBigQueryReaderPartitions, (), attrs, name)
