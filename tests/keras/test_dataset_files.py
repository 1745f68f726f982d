"""Files of datasets, and get_file: they run nothing, and leave nothing half done."""

import io
import os
import pickle
import tarfile
import zipfile

import numpy as np
import pytest

import twinflow as tf
from twinflow.keras.datasets import cifar, npz, pickled

K = tf.keras
RAN: list = []


class Naming:
    """Pickles as a call of whatever it is given."""

    def __init__(self, function, *args):
        self.call = function, args

    def __reduce__(self):
        return self.call


HARMFUL = [
    Naming(RAN.append, 1), Naming(os.system, "true"), Naming(eval, "1"),
    Naming(np.load, "x"), Naming(np.testing.assert_equal, 1, 1), Naming(np.array, [1]),
    Naming(np.lib.format.open_memmap, "x"), Naming(np.frompyfunc, len, 1, 1),
    Naming(np.ndarray.tofile, np.zeros(1), "x"), Naming(bytes, 8),
]  # fmt: skip
BY_TEXT = [  # found by their names where these come as text
    b"cnumpy.testing\nrunstring\n(S'1'\nd\ntR.", b"cnumpy\nload\n(S'x'\ntR.",
    b"cnumpy.testing._private.utils\nrunstring\n(S'1'\nd\ntR.",
    b"c_codecs\ndecode\n(S'x'\ntR.", b"cnumpy.core.multiarray\nfromfile\n(S'x'\ntR.",
    b"c__builtin__\ngetattr\n(S'x'\nS'y'\ntR.", b"cnumpy\nos.system\n(S'true'\ntR.",
    b"cbuiltins\nexec\n(S'1'\ntR.",
]  # fmt: skip


def harmful_pickles():
    for value in HARMFUL:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            yield pickle.dumps({"data": value, "labels": []}, protocol)
    yield from BY_TEXT


def test_pickles_call_nothing_but_what_arrays_need(tmp_path):
    path = tmp_path / "data_batch_1"
    for data in harmful_pickles():
        path.write_bytes(data)
        with pytest.raises(ValueError, match="data_batch_1"):
            cifar.load_batch(str(path))
    assert not RAN


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    "value",
    [
        np.arange(6, dtype=np.uint8).reshape(2, 3), np.arange(3, dtype=">i4"),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.array([]), np.array(True),
        np.array(["ab", "c"]), np.array([b"ab"]), [np.int64(3), 2, "x", b"y", None],
        np.array([[1, 2], [3]], object), np.array([[1, 2], [3, 4], 5], object)[:2],
    ],
)  # fmt: skip
def test_arrays_and_plain_values_come_back(protocol, value):
    again = pickled.read(pickle.dumps({"a": value}, protocol))["a"]
    np.testing.assert_array_equal(again, value)
    assert getattr(again, "dtype", None) == getattr(value, "dtype", None)


@pytest.mark.parametrize("dtype", ["V4", "i4,i4", "M8[s]"])
def test_other_dtypes_are_refused(dtype):
    with pytest.raises((ValueError, pickle.UnpicklingError)):
        pickled.read(pickle.dumps(np.zeros(2, dtype)))


def saved(path, **arrays):
    np.savez(path, **arrays)
    return str(path)


def test_arrays_of_objects_call_nothing_either(tmp_path):
    harm = np.empty(1, object)
    harm[0] = HARMFUL[0]
    path = saved(tmp_path / "imdb.npz", x_train=harm)
    with pytest.raises(ValueError, match=r"(?s)refused.*imdb\.npz"):
        npz.arrays_of(path, "x_train")
    for data in harmful_pickles():
        file = io.BytesIO()
        np.lib.format.write_array_header_1_0(
            file, {"descr": "|O", "fortran_order": False, "shape": (1,)}
        )
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("x_train.npy", file.getvalue() + data)
        with pytest.raises(ValueError, match=r"imdb\.npz"):
            npz.arrays_of(path, "x_train")
    assert not RAN


@pytest.mark.parametrize("shape", [(1 << 40,), (1 << 62, 4), (-1,), (3,)])
def test_an_array_that_says_another_size_than_it_has(tmp_path, shape):
    file = io.BytesIO()
    header = {"descr": "<f4", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    path = str(tmp_path / "a.npz")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.npy", file.getvalue() + b"1234")
    with pytest.raises(ValueError, match=r"a\.npz"):
        npz.arrays_of(path, "x")


# ------------------------------------------------------------------ get_file
def archive(path, names, kind="tar", data=b"text"):
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as file:
            for name in names:
                file.writestr(name, data)
        return
    with tarfile.open(path, "w:gz") as file:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))


def tree(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


@pytest.fixture
def cache(tmp_path):
    (tmp_path / "cache" / "datasets").mkdir(parents=True)
    return tmp_path / "cache"


@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_a_whole_archive_is_unpacked_again_and_again(cache, kind):
    archive(cache / "datasets" / "a", ["b/c", "d"], kind)
    for _ in range(2):
        K.utils.get_file("a", "there", extract=True, cache_dir=str(cache))
        assert tree(cache / "datasets") == ["a", "b", "b/c", "d"]


@pytest.mark.parametrize("kind", ["tar", "zip"])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_broken_archive_leaves_nothing(cache, kind, share):
    path = cache / "datasets" / "a"
    archive(path, [f"b/{i}" for i in range(20)], kind, os.urandom(5000))
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    for _ in range(2):
        with pytest.raises(ValueError, match="datasets/a"):
            K.utils.get_file("a", "there", extract=True, cache_dir=str(cache))
        assert tree(cache / "datasets") == ["a"]


@pytest.mark.parametrize("options", [{"extract": True}, {"untar": True}])
def test_what_is_no_archive_is_said(cache, options):
    name = "a.tar.gz" if "untar" in options else "a"
    (cache / "datasets" / name).write_text("text")
    for _ in range(2):
        with pytest.raises(ValueError, match=f"datasets/{name} cannot be unpacked"):
            K.utils.get_file("a", "there", cache_dir=str(cache), **options)


@pytest.mark.parametrize("kind", ["tar", "zip"])
@pytest.mark.parametrize("name", ["../up", "a/../../up", "/nowhere/up", "b/../../../c"])
def test_members_stay_in_the_folder(cache, kind, name):
    if kind == "tar" and name == "/nowhere/up":
        pytest.skip("tar makes it nowhere/up, inside")
    archive(cache / "datasets" / "a", ["fine", name], kind)
    before = tree(cache.parent)
    with pytest.raises(ValueError, match="datasets/a"):
        K.utils.get_file("a", "there", extract=True, cache_dir=str(cache))
    assert tree(cache.parent) == before


def test_links_out_of_the_folder_are_refused(cache):
    with tarfile.open(cache / "datasets" / "a", "w") as file:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "../.."
        file.addfile(link)
    with pytest.raises(ValueError, match="datasets/a"):
        K.utils.get_file("a", "there", extract=True, cache_dir=str(cache))
    assert tree(cache / "datasets") == ["a"]


@pytest.mark.parametrize("name", ["../up", "a/../../up", "", ".", "/nowhere/up"])
def test_names_stay_in_the_cache(cache, name):
    (cache / "source").write_text("text")
    before = tree(cache.parent)
    with pytest.raises(ValueError, match="get_file keeps files below"):
        K.utils.get_file(name, f"file://{cache}/source", cache_dir=str(cache))
    assert tree(cache.parent) == before


def test_an_absolute_name_is_of_a_file_that_is_there(cache):
    path = cache / "mine.npz"
    path.write_text("text")
    assert K.utils.get_file(str(path), "there") == str(path)
