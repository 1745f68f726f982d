"""SqlDataset: values are converted as SQLite and TensorFlow 1.12 do it."""

import contextlib
import sqlite3

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import errors
from twinflow.data.experimental.sql import Rows
from twinflow.data.functions import Env
from twinflow.data.pipeline import positions

Sql = tf.data.experimental.SqlDataset
TEXT = tf.string


@pytest.fixture
def database(tmp_path):
    path = str(tmp_path / "a.sqlite")
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        create table s (id integer, name text, state text, bonus real, big integer,
                        blob blob);
        insert into s values (1, 'John', 'CA', 1.5, 9007199254740993, x'00ff41');
        insert into s values (2, 'Émile', NULL, NULL, -5, NULL);
        insert into s values (300, '12abc', '-7.9', 1e300, 9223372036854775807, 'txt');
        """
    )
    connection.close()
    return path


QUERIES = {
    "id, name, bonus": (
        (tf.int32, TEXT, tf.float64),
        [(1, b"John", 1.5), (2, "Émile".encode(), 0.0), (300, b"12abc", 1e300)],
    ),
    "id, id, id, id": (
        (tf.int8, tf.uint8, tf.int16, tf.uint16),
        [(1, 1, 1, 1), (2, 2, 2, 2), (44, 44, 300, 300)],
    ),
    "big, big, big, big": (
        (tf.int64, tf.int32, tf.float64, TEXT),
        [
            (9007199254740993, 1, 9007199254740992.0, b"9007199254740993"),
            (-5, -5, -5.0, b"-5"),
            (2**63 - 1, -1, 2.0**63, b"9223372036854775807"),
        ],
    ),
    "state, state, state, state": (
        (TEXT, tf.int32, tf.float64, tf.bool),
        [(b"CA", 0, 0.0, False), (b"", 0, 0.0, False), (b"-7.9", -7, -7.9, True)],
    ),
    "bonus, bonus, bonus, bonus": (
        (tf.int32, tf.int64, TEXT, tf.bool),
        [(1, 1, b"1.5", True), (0, 0, b"", False), (-1, 2**63 - 1, b"1.0e+300", True)],
    ),
    "blob, blob": ((TEXT, tf.int32), [(b"\x00\xffA", 0), (b"", 0), (b"txt", 0)]),
    "0.1, 100.0, 1e15, 123456789.123456789": (
        (TEXT,) * 4,
        [(b"0.1", b"100.0", b"1.0e+15", b"123456789.123457")] * 3,
    ),
    "' 12', '1e3', '0x10', '+5', '99999999999999999999'": (
        (tf.int64,) * 5,
        [(12, 1, 0, 5, 2**63 - 1)] * 3,
    ),
    "' 12', '1e3', '0x10', '.5'": ((tf.float64,) * 4, [(12.0, 1000.0, 0.0, 0.5)] * 3),
    "id": (tf.int32, [1, 2, 300]),
}


@pytest.mark.parametrize("columns", QUERIES)
def test_rows(database, elements, columns):
    types, expected = QUERIES[columns]
    query = f"select {columns} from s order by id"
    assert elements(lambda: Sql("sqlite", database, query, types)) == expected


def test_the_form_of_elements(database, elements):
    query, types = "select name, id from s where id = 1", {"b": tf.int32, "a": TEXT}
    found = elements(lambda: Sql("sqlite", database, query, types))
    assert found == [{"a": b"John", "b": 1}]
    dataset = Sql("sqlite", database, query, (tf.int32, TEXT))
    assert (
        repr(dataset) == "<SqlDataset shapes: ((), ()), types: (tf.int32, tf.string)>"
    )
    assert tf.contrib.data.SqlDataset is Sql


def test_it_goes_on_with_other_transforms(database, elements):
    make = lambda: Sql("sqlite", database, "select id from s; select 7", (tf.int32,))
    assert elements(lambda: make().repeat(2).batch(4).prefetch(1)) == [
        ([1, 2, 300, 1],), ([2, 300],)]  # fmt: skip
    none = lambda: Sql(
        "sqlite", database, "select id from s where id > 999", (tf.int32,)
    )
    assert elements(none) == []


COLUMNS = "The number of columns in query (%d) must match the number of elements in"
FAULTS = [
    (errors.InvalidArgumentError, "select id, name from s", (tf.int32,), COLUMNS % 2),
    (errors.InvalidArgumentError, "insert into s (id) values (7)", TEXT, COLUMNS % 0),
    (errors.InvalidArgumentError, "", (TEXT,), COLUMNS % 0),
    (errors.UnknownError, "select id from nope", (TEXT,),
     "Prepare() failed: [1] no such table: nope: select id from nope"),
    (errors.UnknownError, "selec id from s", (TEXT,),
     'Prepare() failed: [1] near "selec": syntax error: selec id from s'),
    (errors.InvalidArgumentError, "select id from s", (tf.float32,),
     "Each element of `output_types_` must be one of: DT_STRING, DT_INT8, DT_INT16, "
     "DT_INT32, DT_INT64, DT_UINT8, DT_UINT16, DT_BOOL, DT_DOUBLE"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "query", "types", "message"), FAULTS)
def test_queries_that_do_not_fit(database, elements, kind, query, types, message):
    with pytest.raises(kind) as caught:
        elements(lambda: Sql("sqlite", database, query, types))
    assert message in str(caught.value)
    with contextlib.closing(sqlite3.connect(database)) as connection:
        assert connection.execute("select count(*) from s").fetchone() == (3,)


def test_other_files_and_drivers(tmp_path):
    junk = tmp_path / "junk"
    junk.write_text("hello" * 400)
    with pytest.raises(errors.InvalidArgumentError, match=r"\[26\] file is not a data"):
        next(iter(Sql("sqlite", str(junk), "select 1 from s", (tf.int32,))))
    with pytest.raises(errors.NotFoundError, match="unable to open database file"):
        next(iter(Sql("sqlite", str(tmp_path / "no" / "a"), "select 1", (tf.int32,))))
    with pytest.raises(errors.InvalidArgumentError, match="The database type, mysql"):
        iter(Sql("mysql", str(junk), "select 1", (tf.int32,)))
    with pytest.raises(ValueError, match="one DType for each column"):
        Sql("sqlite", str(junk), "select 1", ())


def test_the_database_is_given_back_at_the_end(database):
    rows = Rows(database, "select id from s", (tf.int32,))
    assert [int(r) for (r,) in rows] == [1, 2, 300]
    assert (rows.connection, rows.place) == (None, 3)
    assert list(rows) == []
    assert np.asarray(next(Rows(database, "select 5", (tf.int8,)))[0]).dtype == np.int8


def test_a_pass_goes_on_from_any_place(database):
    dataset = Sql("sqlite", database, "select id from s", tf.int32)
    first = dataset.start(Env())()
    for left in [1, 2, 300], [2, 300], [300], []:
        second = dataset.start(Env())()
        positions.put(second, positions.place_of(first))
        assert [int(r) for (r,) in second] == left
        next(first, None)
