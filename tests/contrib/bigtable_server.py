"""A small Bigtable in this process, for BIGTABLE_EMULATOR_HOST: what its tests call."""

import contextlib
import random
import re
from concurrent import futures

import grpc
from google.cloud.bigtable_v2 import types
from google.rpc import status_pb2

_SERVICE = "google.bigtable.v2.Bigtable"


class Bigtable:
    """One table, {key: {(family, column): [(micros, value), newest first]}}."""

    def __init__(self):
        self.rows, self.samples, self.refused = {}, [b"m", b""], ()

    def read(self, request, context):
        """ReadRows: a chunk a cell; a table without its name is not there."""
        if not request.table_name.endswith("/tables/t"):
            context.abort(grpc.StatusCode.NOT_FOUND, "no such table")
        chain = request.filter.chain.filters
        for key in sorted(k for k in self.rows if _asked(k, request.rows)):
            chunks = _chunks(key, self.rows[key], chain)
            if chunks:
                chunks[-1].commit_row = True
                yield types.ReadRowsResponse(chunks=chunks)

    def sample(self, request, context):
        """SampleRowKeys."""
        for key in self.samples:
            yield types.SampleRowKeysResponse(row_key=key, offset_bytes=1)

    def mutate(self, request, context):
        """MutateRows: cells that are set."""
        entries = []
        for i, entry in enumerate(request.entries):
            if entry.row_key in self.refused:
                status = status_pb2.Status(code=9, message="not this one")
                entries.append({"index": i, "status": status})
                continue
            row = self.rows.setdefault(entry.row_key, {})
            for cell in (m.set_cell for m in entry.mutations):
                values = row.setdefault((cell.family_name, cell.column_qualifier), [])
                values.insert(0, (cell.timestamp_micros, cell.value))
            entries.append({"index": i, "status": status_pb2.Status()})
        yield types.MutateRowsResponse(entries=entries)


def _asked(key, rows):
    if not rows.row_keys and not rows.row_ranges:
        return True
    return key in rows.row_keys or any(_within(key, r) for r in rows.row_ranges)


def _within(key, part):
    after = key >= part.start_key_closed and key > (part.start_key_open or b"")
    after = key >= part.start_key_closed if not part.start_key_open else after
    before = not part.end_key_open or key < part.end_key_open
    return after and before and (not part.end_key_closed or key <= part.end_key_closed)


def _chunks(key, row, chain):
    cells = [(*column, *values[0]) for column, values in sorted(row.items())]
    for part in chain:
        if part.family_name_regex_filter:
            fits = re.compile(part.family_name_regex_filter).fullmatch
            cells = [c for c in cells if fits(c[0])]
        if part.column_qualifier_regex_filter:
            fits = re.compile(part.column_qualifier_regex_filter).fullmatch
            cells = [c for c in cells if fits(c[1])]
        if part.cells_per_row_limit_filter:
            cells = cells[: part.cells_per_row_limit_filter]
        if part.strip_value_transformer:
            cells = [(*c[:3], b"") for c in cells]
        if part.row_sample_filter and random.random() > part.row_sample_filter:
            cells = []
    return [
        types.ReadRowsResponse.CellChunk(
            row_key=key, family_name=family, qualifier=column,
            timestamp_micros=micros, value=value,
        )
        for family, column, micros, value in cells
    ]  # fmt: skip


@contextlib.contextmanager
def serving(table):
    """The address of a server of a table, as long as the block runs."""
    calls = {
        "ReadRows": (table.read, types.ReadRowsRequest),
        "SampleRowKeys": (table.sample, types.SampleRowKeysRequest),
        "MutateRows": (table.mutate, types.MutateRowsRequest),
    }
    handlers = {
        name: grpc.unary_stream_rpc_method_handler(
            function,
            request_deserializer=kind.deserialize,
            response_serializer=lambda message: type(message).serialize(message),
        )
        for name, (function, kind) in calls.items()
    }
    server = grpc.server(futures.ThreadPoolExecutor(4))
    generic = grpc.method_handlers_generic_handler(_SERVICE, handlers)
    server.add_generic_rpc_handlers((generic,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.stop(None).wait(5)
