"""tf.contrib.cloud: BigQuery against a server of its protocol, and gs:// paths."""

import http.server
import json
import threading
import urllib.parse

import pytest

import twinflow as tf
from twinflow.base import errors

cloud = tf.contrib.cloud
FIELDS = [
    {"name": "name", "type": "STRING"}, {"name": "age", "type": "INTEGER"},
    {"name": "weight", "type": "FLOAT"}, {"name": "fine", "type": "BOOLEAN"},
]  # fmt: skip
ROWS = [
    [f"n{i}", str(30 + i), str(i / 2), "true" if i % 2 else "false"] for i in range(5)
]
ROWS[1][0] = None


class _BigQuery(http.server.BaseHTTPRequestHandler):
    """A table, as it was at the time 77."""

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        asked = {k: v[0] for k, v in urllib.parse.parse_qs(url.query).items()}
        parts = urllib.parse.unquote(url.path).split("/")
        if "t@77" not in parts:
            self._answer({"error": {"message": "no such table"}}, 404)
        elif parts[-1] == "data":
            self._answer(_rows(asked))
        else:
            self._answer({
                "tableReference":
                    {"projectId": "p", "datasetId": "d", "tableId": "t@77"},
                "numRows": str(len(ROWS)), "schema": {"fields": FIELDS},
            })  # fmt: skip

    def _answer(self, found, status=200):
        data = json.dumps(found).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


def _rows(asked):
    names = [f["name"] for f in FIELDS]
    wanted = asked.get("selectedFields", ",".join(names)).split(",")
    start = int(asked.get("startIndex", 0))
    rows = ROWS[start : start + int(asked["maxResults"])]
    cells = [[r[i] for i, n in enumerate(names) if n in wanted] for r in rows]
    return {"totalRows": "5", "rows": [{"f": [{"v": c} for c in row]} for row in cells]}


@pytest.fixture
def address():
    pytest.importorskip("google.cloud.bigquery")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _BigQuery)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


FEATURES = {
    "name": tf.FixedLenFeature([], tf.string, "nobody"),
    "age": tf.FixedLenFeature([], tf.int64),
    "weight": tf.FixedLenFeature([], tf.float32),
}


def _reading(address, table="t"):
    reader = cloud.BigQueryReader(
        "p", "d", table, 77, 2, features=FEATURES, test_end_point=address
    )
    queue = tf.FIFOQueue(10, tf.string)
    fill = queue.enqueue_many(reader.partitions(name="parts")), queue.close()
    key, value = reader.read(queue)
    return fill, [key, tf.parse_single_example(value, FEATURES)]


def _all(session, fill, row):
    for op in fill:
        session.run(op)
    found = []
    with pytest.raises(errors.OutOfRangeError):
        while True:
            found.append(session.run(row))
    return found


def test_bigquery(address):
    with tf.Graph().as_default(), tf.Session() as session:
        fill, row = _reading(address)
        assert session.run("parts:0").shape == (2,)
        found = _all(session, fill, row)
    assert [key for key, _ in found] == [b"0", b"1", b"2", b"3", b"4"]
    assert found[1][1] == {"name": b"nobody", "age": 31, "weight": 0.5}
    assert found[4][1] == {"name": b"n4", "age": 34, "weight": 2.0}


def test_bigquery_in_graphs_that_are_imported(address):
    with tf.Graph().as_default() as graph:
        fill, (key, _) = _reading(address)
        names = [f.name for f in fill], key.name
        assert graph.get_operation_by_name("BigQueryReader").get_attr("columns") == [
            b"age", b"name", b"weight",
        ]  # fmt: skip
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph.as_graph_def(), name="")
        assert len(_all(session, *names)) == 5


def test_what_bigquery_refuses(address):
    with tf.Graph().as_default(), tf.Session() as session:
        fill, _ = _reading(address, "other")
        with pytest.raises(errors.NotFoundError, match="no such table"):
            session.run(fill[0])
        for options, text in {
            (): "exactly one of features and columns must be set.",
            (("features", "a"),): "features must be a dict.",
            (("columns", "a"),): "columns must be a list.",
        }.items():
            with pytest.raises(TypeError, match=text):
                cloud.BigQueryReader("p", "d", "t", 1, 2, **dict(options))


# ---------------------------------------------------------------------- gs:// paths
USER = {"client_id": "a", "client_secret": "b", "refresh_token": "c", "type": "user"}


@pytest.fixture
def options(monkeypatch):
    config = pytest.importorskip("fsspec").config.conf
    for scheme in ("gs", "gcs"):
        monkeypatch.setitem(config, scheme, {})
    return config


def test_credentials_and_blocks(options):
    sizes = cloud.BlockCacheParams(block_size=1000, max_staleness=9)
    assert (sizes.block_size, sizes.max_bytes, sizes.max_staleness) == (1000, 2000, 9)
    with tf.Graph().as_default(), tf.Session() as session:
        cloud.configure_gcs(session, USER, sizes)
    wanted = {"token": USER, "block_size": 1000, "cache_timeout": 9}
    assert options["gs"] == options["gcs"] == wanted
    gcsfs = pytest.importorskip("gcsfs")
    made = gcsfs.GCSFileSystem(**options["gs"], skip_instance_cache=True)
    assert made.credentials.credentials.refresh_token == "c"
    with tf.Graph().as_default():
        hook = cloud.ConfigureGcsHook(json.dumps({**USER, "client_id": "new"}), sizes)
        with tf.train.MonitoredSession(hooks=[hook]):
            assert options["gs"]["token"]["client_id"] == "new"


def test_what_storage_refuses(options):
    for given, text in {
        "{}": 'neither a "refresh_token" nor a "private_key"', 3: "of an unknown type",
        "text": "not a well formed JSON string",
    }.items():  # fmt: skip
        with pytest.raises(ValueError, match=text):
            cloud.ConfigureGcsHook(given)
    with pytest.raises(ValueError, match="must be an instance of BlockCacheParams"):
        cloud.ConfigureGcsHook(block_cache=3)
    with tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises(errors.InvalidArgumentError, match="JSON format incompat"):
            cloud.configure_gcs(session, "{}")
        with pytest.raises(errors.FailedPreconditionError, match="value 'client_id'"):
            cloud.configure_gcs(session, {"refresh_token": "a"})
        with pytest.raises(FileNotFoundError):
            cloud.configure_colab_session(session)
