"""CsvDataset: numbers, order and error texts are those of TensorFlow 1.12."""

import gzip
import itertools
import json
import zlib
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.data.programs import drained, plain
from twinflow.base import errors
from twinflow.data.experimental import csv_records
from twinflow.data.functions import Env
from twinflow.data.pipeline import positions
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph

Csv = tf.data.experimental.CsvDataset
N, F, D, S = tf.int32, tf.float32, tf.float64, tf.string
MANY = "Expect 2 fields but have more in record"
FEW = "Expect 2 fields but have 1 in record"
QUOTES = "Unquoted fields cannot have quotes inside"
ESCAPE = "Quote inside a string has to be escaped by another quote"
OPEN = "Reached end of file without closing quoted field in record"
HEADER = "Can't read header of file"


def lacks(i):
    return f"Field {i} is required but missing in record!"


def wrong(i, kind, text):
    return f"Field {i} in record is not a valid {kind}: {text}"


@pytest.fixture
def path(tmp_path):
    """A function that writes texts to files."""
    number = itertools.count()

    def write(*texts):
        paths = [tmp_path / f"{next(number)}.csv" for _ in texts]
        for p, text in zip(paths, texts):
            p.write_bytes(text if isinstance(text, bytes) else text.encode())
        return list(map(str, paths))

    return write


def eagerly(make):
    iterator = iter(make())
    yield from _until_the_end(lambda: next(iterator), StopIteration)


def in_a_graph(make):
    with Graph().as_default(), Session() as session:
        element = make().make_one_shot_iterator().get_next()
        end = errors.OutOfRangeError
        yield from _until_the_end(lambda: session.run(element), end)


def _until_the_end(take, end):
    while True:
        try:
            yield plain(take())
        except end:
            return
        except errors.InvalidArgumentError as error:
            yield error.message.splitlines()[0]


WAYS = pytest.mark.parametrize("way", [eagerly, in_a_graph])

CASES = {
    "plain": ("1,2\n3,4\n", [N, N], {}, [(1, 2), (3, 4)]),
    "no last line end": ("1,2\n3,4", [N, N], {}, [(1, 2), (3, 4)]),
    "line ends": ("1,2\r\n3,4\r5,6\n", [N, N], {}, [(1, 2), (3, 4), (5, 6)]),
    "empty": ("", [N], {}, []),
    "empty line": ("a\n\nb\n", [S], {}, [(b"a",), lacks(0), (b"b",)]),
    "empty line, default": ("a\n\nb", [["z"]], {}, [(b"a",), (b"z",), (b"b",)]),
    "header": ('"a\nx",b\n1,2\n', [N, N], {"header": True}, [(1, 2)]),
    "no header": ("", [N], {"header": True}, [HEADER]),
    "open header": ('"a,b\n1,2\n', [N, N], {"header": True}, [HEADER]),
    "odd header": ('a"b,c\n1,2', [N, N], {"header": True}, [HEADER, (1, 2)]),
    "quotes": (
        '"a","b"\n"c ""d""","e\nf"\n"1,2",""\n', [S, S], {},
        [(b"a", b"b"), (b'c "d"', b"e\nf"), lacks(1)],
    ),
    "only quotes": ('"""",x\n"""a""b",y', [S, S], {}, [(b'"', b"x"), (b'"a"b', b"y")]),
    "quotes at the end": ('x,y\n"",', [["a"], ["b"]], {}, [(b"x", b"y"), (b"a", b"b")]),
    "nothing but quotes": ('x\n""', [["a"]], {}, [(b"x",), (b"a",)]),
    "quotes behind a return": ('\r""\n', [["a"]], {}, [(b"a",), (b"a",)]),
    "quoted numbers": ('"1","2"\n', [N, N], {}, [(1, 2)]),
    "quoted line ends": ('"a\r\nb",x\n"c\rd",y\n', [S, S], {},
                         [(b"a\r\nb", b"x"), (b"c\rd", b"y")]),
    "bytes of marks": (b'"\x00,\x01",x\n', [S, S], {}, [(b"\x00,\x01", b"x")]),
    "other marks": (b'"\x03,",x\n"a,",b\n', [S, S], {},
                    [(b"\x03,", b"x"), (b"a,", b"b")]),
    "a zero byte": (b"a\x00b,c\n", [S, S], {}, [(b"a\x00b", b"c")]),
    "quote within": ('a"b,c\nd,e\n', [S, S], {}, [QUOTES, (b"d", b"e")]),
    "quote at the end": ('ab,c"\nd,e\n', [S, S], {}, [QUOTES, (b"d", b"e")]),
    "not escaped": ('"a"b",c\nd,e\n', [S, S], {}, [ESCAPE, (b"d", b"e")]),
    "space behind": ('"a" ,c\nd,e\n', [S, S], {}, [OPEN]),
    "not closed": ('a,b\n"ab,c\nd,e', [S, S], {}, [(b"a", b"b"), OPEN]),
    "not closed later": ('a"b,x\n"1"2,"y\n3,4', [N, N], {}, [QUOTES, OPEN]),
    "quotes are letters": ('"a","b"\nx"y,z', [S, S], {"use_quote_delim": False},
                           [(b'"a"', b'"b"'), (b'x"y', b"z")]),
    "few": ("1\n2,3\n", [N, N], {}, [FEW, (2, 3)]),
    "many": ("1,2,3\n4,5\n1,2,", [N, N], {}, [MANY, (4, 5), MANY]),
    "missing": ("1,\n,3\n4,5", [N, N], {}, [lacks(1), lacks(0), (4, 5)]),
    "defaults": ("1,\n,3\n", [[7], 8], {}, [(1, 8), (7, 3)]),
    "na": ('1,NA\nNA,3\n"NA",4', [[7], [8]], {"na_value": "NA"},
           [(1, 8), (7, 3), (7, 4)]),
    "no int": ("1,x\n2,1.5\n3,3000000000\n4,1_0\n+5,5\n 6 , 7\n", [N, N], {}, [
        wrong(1, "int32", "x"), wrong(1, "int32", "1.5"), wrong(1, "int32", 3000000000),
        wrong(1, "int32", "1_0"), wrong(0, "int32", "+5"), (6, 7)]),
    "int64": ("-9223372036854775808\n99999999999999999999\n3", [tf.int64], {},
              [(-(2**63),), wrong(0, "int64", "99999999999999999999"), (3,)]),
    "floats": ("1.5,-2e3\n1e400,1e-400\n1_0,2\n-inf,+3\n.5,5.\n1,Infinity\n"
               "0x10,1\n1 2,3",
               [F, F], {}, [(1.5, -2000.0), (np.inf, 0.0), wrong(0, "float", "1_0"),
                            (-np.inf, 3.0), (0.5, 5.0), wrong(1, "float", "Infinity"),
                            (16.0, 1.0), wrong(0, "float", "1 2")]),
    "doubles": ("0.1,1e-320\nabc,1\n1f,2", [D, D], {},
                [(0.1, 1e-320), wrong(0, "double", "abc"), wrong(0, "double", "1f")]),
    "rounded once": ("1.00000017881393432617187499\n1e-45", [F], {},
                     [(float(np.float32(1.0000001)),), (float(np.float32(1e-45)),)]),
    "the first error": ('x,a"b\nx,1,2\n1,1,y\nx', [N, N], {},
                        [wrong(0, "int32", "x"), wrong(0, "int32", "x"), MANY,
                         wrong(0, "int32", "x")]),
    "columns": ("1,2,3\n4,5,6", [N, N], {"select_cols": [0, 2]}, [(1, 3), (4, 6)]),
    "columns that lack": ("1,2,3", [N, N], {"select_cols": [0, 3]}, [FEW]),
    "uneven columns": ("1,2,3,4\n4,5", [N], {"select_cols": [1]}, [(2,), (5,)]),
    "an odd other column": ('a"b,2\n3,4', [N], {"select_cols": [1]}, [QUOTES, (4,)]),
    "delimiter": ("1\t2", [N, N], {"field_delim": "\t"}, [(1, 2)]),
}  # fmt: skip


@WAYS
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("piece", [1 << 20, 3])
def test_records(path, monkeypatch, way, case, piece):
    """Records and errors do not depend on where the pieces end that are read."""
    monkeypatch.setattr(csv_records, "_PIECE", piece)
    monkeypatch.setattr(csv_records, "_MOST", piece)
    text, defaults, options, expected = CASES[case]
    (file,) = path(text)
    assert list(way(lambda: Csv(file, defaults, **options))) == expected


@pytest.mark.parametrize("piece", [1 << 20, 2])
def test_random_texts_give_what_tensorflow_gives(path, monkeypatch, piece):
    """The cases are those of csv_records.json, by make_csv_records.py."""
    monkeypatch.setattr(csv_records, "_PIECE", piece)
    monkeypatch.setattr(csv_records, "_MOST", piece)
    defaults = {"ss": [S, S], "dd": [[""], ["d"]], "id": [N, [5]], "e": [[""]],
                "sss": [S, S, S]}  # fmt: skip
    cases = json.loads((Path(__file__).parent / "csv_records.json").read_text())
    assert len(cases) == 400
    for text, kind, options, expected in cases:
        (file,) = path(text)
        found = eagerly(lambda: Csv(file, defaults[kind], **options))
        assert [_decoded(row) for row in found] == expected, (text, kind, options)


def _decoded(row):
    if isinstance(row, str):
        return row
    return [x.decode() if isinstance(x, bytes) else x for x in row]


@WAYS
def test_files_follow_one_another(path, way):
    files = path("h\n1,2\n3,4", "h\n5,6\n\n7,8")
    found = list(way(lambda: Csv(files, [N, N], header=True)))
    assert found == [(1, 2), (3, 4), (5, 6), lacks(0), (7, 8)]


@WAYS
def test_batches_are_slices_of_blocks(path, way):
    text = "".join(f'{i},{i / 2},"n, {i}"\n' for i in range(100))
    (file,) = path(text)
    make = lambda: Csv(file, [N, D, S]).batch(30)
    sizes = [len(a) for a, b, c in way(make)]
    assert sizes == [30, 30, 30, 10]
    numbers, halves, names = next(way(lambda: make().skip(3)))
    assert numbers == list(range(90, 100))
    assert halves == [i / 2 for i in numbers]
    assert names == [b"n, %d" % i for i in numbers]


@WAYS
def test_errors_may_be_left_out(path, way):
    (file,) = path("1\n2\nx\n4\n5\n6\n")
    make = lambda: Csv(file, [N]).apply(tf.data.experimental.ignore_errors())
    assert list(way(make)) == [(1,), (2,), (4,), (5,), (6,)]
    repeated = lambda: (
        Csv(file, [N]).repeat(2).apply(tf.data.experimental.ignore_errors())
    )
    assert len(list(way(repeated))) == 10


@pytest.mark.parametrize("kind", ["GZIP", "ZLIB"])
@WAYS
def test_compressed_files(path, way, kind):
    pack = {"GZIP": gzip.compress, "ZLIB": zlib.compress}[kind]
    (file,) = path(pack(b"1,2\n3,4"))
    assert list(way(lambda: Csv(file, [N, N], kind))) == [(1, 2), (3, 4)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"select_cols": [1, 0]}, "select_cols should be strictly increasing indices"),
        ({"select_cols": [0, 0]}, "select_cols should be strictly increasing indices"),
        ({"select_cols": [-1, 0]}, "select_cols should be non-negative indices"),
        ({"select_cols": [0]}, "select_cols should match output size"),
        ({"field_delim": "::"}, "field_delim should be only 1 char"),
        ({"field_delim": ""}, "field_delim should be only 1 char"),
        ({"buffer_size": 0}, "buffer_size should be positive"),
        ({"compression_type": "ZIP"}, "Unsupported compression_type: ZIP."),
    ],
)
def test_settings_that_do_not_fit(path, options, message):
    (file,) = path("1,2\n")
    make = lambda: Csv(file, [N, N], **options)
    for way in eagerly, in_a_graph:
        with pytest.raises(errors.InvalidArgumentError, match=message):
            found = next(way(make))
            raise errors.InvalidArgumentError(None, None, found)


def test_defaults_that_do_not_fit(path):
    (file,) = path("1,2\n")
    with pytest.raises(ValueError, match="one default for each column"):
        Csv(file, [])
    for wrong_type in tf.bool, tf.constant([True]):
        with pytest.raises(TypeError, match="of one of the dtypes float32, float64"):
            Csv(file, [wrong_type])
    with pytest.raises(errors.InvalidArgumentError, match="1 default per field"):
        iter(Csv(file, [[1, 2], [3]]))
    with (
        Graph().as_default(),
        pytest.raises(ValueError, match="a length-0 or"),
    ):
        Csv(file, [[1, 2], [3]])
    with pytest.raises(errors.InvalidArgumentError, match="at most rank 1"):
        Csv(file, [tf.constant([[1]]), [3]])
    with Graph().as_default(), pytest.raises(ValueError, match="at most rank 1"):
        Csv(file, [tf.constant([[1]]), [3]])


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(errors.NotFoundError, match=r"nope.csv; No such file"):
        next(iter(Csv(str(tmp_path / "nope.csv"), [N])))


def test_a_file_that_cannot_be_read_does_not_hide_the_next_one(path, tmp_path):
    (good,) = path(gzip.compress(b"1\n2"))
    (cut,) = path(gzip.compress(b"3\n" * 99)[:-20] + b"junk" * 9)
    files = [good, str(tmp_path / "nope"), cut, good]
    iterator, seen = iter(Csv(files, [N], "GZIP")), []
    while len(seen) < 9:
        try:
            seen.append(int(next(iterator)[0]))
        except (errors.NotFoundError, errors.DataLossError) as error:
            seen.append(type(error))
        except StopIteration:
            break
    assert seen[:3] == [1, 2, errors.NotFoundError]
    assert seen[-2:] == [1, 2]


@pytest.mark.parametrize("kind", ["", "GZIP"])
@pytest.mark.parametrize("piece", [1 << 20, 3])
def test_a_pass_goes_on_from_any_place(path, monkeypatch, kind, piece):
    monkeypatch.setattr(csv_records, "_PIECE", piece)
    texts = '"h\n",h\n1,"a,\n"\nx,b\n3,c\n\n', "", "h,h\n4,d\n5,e"
    files = path(*(gzip.compress(t.encode()) if kind else t for t in texts))
    start = Csv(files, [N, S], kind, header=True).start(Env())

    def give(walker):
        try:
            return plain(tuple(next(walker, ()))) or None
        except errors.InvalidArgumentError as error:
            return error.message

    first = start()
    for number in range(8):
        second = start()
        positions.put(second, positions.place_of(first))
        left = list(iter(lambda: give(second), None)) if number < 7 else []
        assert len(left) == 7 - number, left
        if number < 7:
            assert give(first) == left[0]


def test_settings_may_be_fed(path):
    (file,) = path("a;b\n1;\n")
    with Graph().as_default(), Session() as session:
        delimiter, default = tf.placeholder(S, []), tf.placeholder(N, [1])
        dataset = Csv(file, [N, default], header=True, field_delim=delimiter)
        iterator = dataset.make_initializable_iterator()
        session.run(iterator.initializer, {delimiter: ";", default: [9]})
        assert drained(session, iterator.get_next()) == [(1, 9)]


def test_what_it_says_of_itself(path):
    dataset = Csv(path("1,2")[0], [N, [1.0]])
    assert (
        repr(dataset) == "<CsvDataset shapes: ((), ()), types: (tf.int32, tf.float32)>"
    )
    assert tf.contrib.data.CsvDataset is Csv


# ---------------------------------------------------------------------- whole files
A = "i,f,s,l,m\n1,1.5,x,3000000000,1\n2,,y,5,a\n"
B = 'i,f,s,l,m\n3,2,"z,q",,1.5\n'


def batches(way, files, size=2, **options):
    options = {"num_epochs": 1, "shuffle": False, **options}
    make = lambda: tf.data.experimental.make_csv_dataset(files, size, **options)
    return [dict(f) if isinstance(f, dict) else (dict(f[0]), f[1]) for f in way(make)]


@WAYS
def test_types_are_found(path, way):
    first, last = batches(way, path(A, B))
    assert first == {"i": [1, 2], "f": [1.5, 0.0], "s": [b"x", b"y"],
                     "l": [3000000000, 5], "m": [b"1", b"a"]}  # fmt: skip
    assert last == {"i": [3], "f": [2.0], "s": [b"z,q"], "l": [0], "m": [b"1.5"]}
    files = path("a,b,c,d,e,h\n1,1.0,nan,1e39,0x10,NA\n2,3,1,2,4,7\n")
    (found,) = batches(way, files)
    assert found == {
        "a": [1, 2], "b": [1.0, 3.0], "c": [b"nan", b"1"], "d": [1e39, 2.0],
        "e": [b"0x10", b"4"], "h": [b"NA", b"7"],
    }  # fmt: skip
    assert batches(way, files, na_value="NA")[0]["h"] == [0, 7]


@WAYS
def test_labels_and_columns(path, way):
    files = path(A)
    ((features, label),) = batches(way, files, label_name="i")
    assert (sorted(features), label) == (["f", "l", "m", "s"], [1, 2])
    (found,) = batches(way, files, select_columns=["s", 0])
    assert found == {"i": [1, 2], "s": [b"x", b"y"]}
    (found,) = batches(way, files, column_defaults=[S, [9.0], S, tf.int64, [""]])
    assert (found["i"], found["f"]) == ([b"1", b"2"], [1.5, 9.0])
    (found,) = batches(way, path("1,2\n3,4"), header=False, column_names=["a", "b"])
    assert found == {"a": [1, 3], "b": [2, 4]}


@WAYS
def test_epochs_and_turns(path, way):
    files = path(A, B)
    assert [f["i"] for f in batches(way, files, 4, num_epochs=2)] == [
        [1, 2, 3, 1], [2, 3]]  # fmt: skip
    assert batches(way, files, 3, num_parallel_reads=2)[0]["i"] == [1, 3, 2]
    found = batches(way, files, 6, num_epochs=2, shuffle=True, shuffle_seed=1)
    assert sorted(found[0]["i"]) == [1, 1, 2, 2, 3, 3]


def test_batches_without_an_end_are_full(path):
    dataset = tf.data.experimental.make_csv_dataset(path(A), 3)
    assert dataset.output_shapes["i"].as_list() == [3]
    assert len(list(dataset.take(5))) == 5


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        ([A], {"label_name": "q"}, "`label_name` provided must be one of the columns"),
        (
            [A],
            {"select_columns": ["s", 2]},
            "select_columns contains duplicate",
        ),
        ([A], {"select_columns": ["k"]}, "Value 'k' specified in select_columns not a"),
        (
            [A],
            {"select_columns": [7]},
            "Column index 7 specified in select_columns",
        ),
        ([A], {"select_columns": ["i", "s"], "column_defaults": [N]}, "same length"),
        ([A, "i\n1"], {}, "Files have different column names in the header row."),
        ([A, ""], {}, r"reading the header line of .*1.csv.  Empty file\?"),
        (["i,j\n1,2\n3\n"], {}, "CSV row has different number of fields than expected"),
        (["i,i\n1,2\n"], {}, "Cannot have duplicate column names."),
        (["1,2"], {"header": False}, "Cannot infer column names without a header line"),
    ],
)
def test_files_that_do_not_fit(path, texts, options, message):
    with pytest.raises(ValueError, match=message):
        batches(eagerly, path(*texts), **options)


def test_no_files(tmp_path):
    for pattern, message in ((str(tmp_path / "*"), "No files match"), ([], "is empty")):
        with pytest.raises(ValueError, match=message):
            tf.data.experimental.make_csv_dataset(pattern, 2)
