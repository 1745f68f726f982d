"""How BigQueryReader cuts a table of BigQuery into tf.Examples: see reader_formats."""

import datetime

import numpy as np

from twinflow.formats import google_services
from twinflow.formats.protos import BigQueryTablePartition, Example
from twinflow.ops.strings.arrays import as_text, filled

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def _table(project_id, dataset_id, table_id, columns, timestamp_millis, test_end_point):
    """A client, and the table as it was at a time."""
    package = google_services.module("google.cloud.bigquery")
    options: dict = {}
    if test_end_point:
        keys = google_services.module("google.auth.credentials")
        options["client_options"] = {"api_endpoint": as_text(test_end_point)}
        options["credentials"] = keys.AnonymousCredentials()
    client = package.Client(project=as_text(project_id), **options)
    name = ".".join(map(as_text, (project_id, dataset_id, table_id)))
    with google_services.translated(f"Table {name}"):
        return client, client.get_table(f"{name}@{timestamp_millis}")


def records(work, columns, **attrs):
    """The rows of a partition: their numbers, and tf.Examples of the columns."""
    part = BigQueryTablePartition.FromString(work)
    client, table = _table(columns=columns, **attrs)
    wanted = [as_text(c) for c in columns]
    fields = [f for f in table.schema if f.name in wanted]
    count = part.end_index - part.start_index + 1
    with google_services.translated(f"Table {table.table_id}"):
        rows = client.list_rows(
            table, selected_fields=fields, start_index=part.start_index,
            max_results=count, retry=None,
        )  # fmt: skip
        yield None
        for number, row in enumerate(rows, part.start_index):
            yield b"%d" % number, _example(row)


def _example(row):
    found = Example()
    for name, value in row.items():
        if value is not None:
            _put(found.features.feature[name], value)
    return found.SerializeToString()


def _put(feature, value):
    """A value as BigQuery's own client gives it."""
    if isinstance(value, datetime.datetime):
        value = (value - _EPOCH) // datetime.timedelta(microseconds=1)
    if isinstance(value, int):  # and bool
        feature.int64_list.value.append(int(value))
    elif isinstance(value, float):
        feature.float_list.value.append(value)
    else:
        data = value if isinstance(value, bytes) else str(value).encode()
        feature.bytes_list.value.append(data)


def partitions(num_partitions, **attrs):
    """Ranges of rows, as texts for a queue."""
    _, table = _table(**attrs)
    size = max(1, -(-table.num_rows // num_partitions))
    starts = range(0, table.num_rows, size)
    parts = [
        BigQueryTablePartition(
            start_index=i, end_index=min(i + size, table.num_rows) - 1
        ).SerializeToString()
        for i in starts
    ]
    return filled(parts, np.shape(parts))
