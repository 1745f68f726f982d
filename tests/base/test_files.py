"""tf.gfile."""

import pytest

from twinflow.base import errors, files


def test_reading(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes("line1\nü\n".encode())
    with files.GFile(path) as f:
        assert (f.read(3), f.tell(), f.readline(), f.readlines()) == (
            "lin", 3, "e1\n", ["ü\n"]
        )  # fmt: skip
        f.seek(-3, 2)
        assert f.read() == "ü\n" and f.size() == 9
        f.seek(position=0)
        assert list(f) == ["line1\n", "ü\n"]
        with pytest.raises(errors.InvalidArgumentError, match="negative position"):
            f.seek(-1)
        with pytest.raises(errors.PermissionDeniedError, match="open for writing"):
            f.write("a")
    with files.GFile(path, "rb") as f:
        assert f.read() == path.read_bytes()


def test_writing(tmp_path):
    path = tmp_path / "x.txt"
    with files.GFile(path, "w") as f:
        f.write("a")
        f.write(b"\xff")
        assert path.exists()
    with files.GFile(path, "a") as f:
        f.write("ü")
        f.flush()
        assert path.read_bytes() == b"a\xff\xc3\xbc"
    with files.GFile(path, "w+") as f:
        f.write("new")
        f.flush()
        assert f.read() == "new"
    with files.GFile(tmp_path / "untouched", "w"):
        pass
    assert not (tmp_path / "untouched").exists()  # opened by the first write only


def test_folders(tmp_path):
    files.MakeDirs(tmp_path / "a/b")
    files.MkDir(tmp_path / "a")
    files.write_string_to_file(tmp_path / "a/b/x.txt", "x")
    top = str(tmp_path)
    walked = [(top, ["a"], []), (f"{top}/a", ["b"], []), (f"{top}/a/b", [], ["x.txt"])]
    assert list(files.Walk(tmp_path)) == walked
    assert list(files.Walk(tmp_path, in_order=False)) == walked[::-1]
    assert files.Glob(f"{top}/*/[ab]/*.tx?") == [f"{top}/a/b/x.txt"]
    files.Copy(f"{top}/a/b/x.txt", f"{top}/y")
    files.Rename(f"{top}/y", f"{top}/z")
    assert files.Exists(f"{top}/z") and not files.Exists(f"{top}/y")
    assert files.Stat(f"{top}/z").length == 1 and files.Stat(top).is_directory
    files.DeleteRecursively(f"{top}/a")
    assert files.ListDirectory(top) == ["z"]


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda d: files.GFile(d / "no").read(), errors.NotFoundError, "no; No such"),
        (lambda d: files.Remove(d / "no"), errors.NotFoundError, "no; No such file"),
        (lambda d: files.ListDirectory(d / "no"), errors.NotFoundError, "Could not"),
        (lambda d: files.Glob(f"{d}/no/*"), errors.NotFoundError, "no; No such file"),
        (lambda d: files.Copy(d, d), errors.AlreadyExistsError, "file already exists"),
        (lambda d: files.GFile(d, "q"), errors.InvalidArgumentError, "mode is not 'r'"),
        (
            lambda d: files.GFile(d).read(),
            errors.FailedPreconditionError,
            "Is a directory",
        ),
    ],
)
def test_errors(call, kind, text, tmp_path):
    with pytest.raises(kind, match=text):
        call(tmp_path)


def test_at_once(tmp_path):
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    files.atomic_write_string_to_file(a, "one")
    files.atomic_write_string_to_file(a, "two")
    with pytest.raises(errors.AlreadyExistsError):
        files.atomic_write_string_to_file(a, "six", overwrite=False)
    assert files.read_file_to_string(a) == "two" and files.ListDirectory(tmp_path) == [
        "a"
    ]
    files.write_string_to_file(b, "two")
    assert files.filecmp(a, b) and files.file_crc32(a) == files.file_crc32(b, 1)
    files.write_string_to_file(b, "six")
    assert not files.filecmp(a, b) and files.file_crc32(b) == "0x431726fb"
