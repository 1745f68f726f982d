"""Files and folders that are being written, and what writers that died have left.

Note [Unfinished]: what is written under another name and renamed when it is whole ends
in `.tempstate` and 32 hexadecimal digits, and its writer holds a lock on it (flock),
which the system takes off when a process ends, however it does. So what can be locked
has no writer any more, and the next save into the folder removes it. A folder of shards
has the name that TensorFlow gives it; the lock is a file beside it, so that folders of
TensorFlow's own writers stay. Where a file system knows no locks, nothing is removed.
"""

import contextlib
import os
import re
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator

from twinflow.base import stores

try:
    import fcntl
except ImportError:  # Windows: no locks, so leftovers stay
    fcntl = None  # type: ignore[assignment]

_MARK = ".tempstate"
_LOCK = ".twinflow-lock"  # the name says whose it is
_OWN = re.compile(rf"(.*)({_MARK}[0-9a-f]{{32}}|{_LOCK})")
_PATIENCE = 60.0  # seconds to wait for another writer
_SHARDS = re.compile(r".*_temp_[0-9a-f]{32}")
_held: dict[str, int] = {}  # folders that this process fills, with their locks
_remote: set[str] = set()  # those in stores, which have no locks


@contextlib.contextmanager
def beside(path: str) -> Iterator[str]:
    """A new file beside `path`, to be moved there; it goes if it is not.

    For a store it is a file of this machine, which `stores.replace` puts there whole.

    Raises:
        OSError: it cannot be made.
    """
    if stores.is_remote(path):
        with tempfile.TemporaryDirectory(prefix="twinflow-") as folder:
            yield os.path.join(folder, "part")
        return
    temporary = f"{path}{_MARK}{uuid.uuid4().hex}"
    lock = _locked_file(temporary)
    try:
        yield temporary
    finally:
        _remove(temporary)
        os.close(lock)


def write(path: str, content: bytes) -> None:
    """Write a file that is there as a whole or not at all, in a store too.

    Raises:
        OSError: it cannot be written; the error names `path`.
    """
    try:
        with beside(path) as part:
            with open(part, "wb") as file:
                file.write(content)
            stores.replace(part, path)
    except OSError as error:
        text = os.strerror(error.errno) if error.errno else str(error)
        raise type(error)(error.errno, text, path) from error


@contextlib.contextmanager
def alone_in(folder: str) -> Iterator[None]:
    """A block that one writer at a time goes through for a folder."""
    number = None
    with contextlib.suppress(OSError):  # no locks in a store
        number = os.open(folder or ".", os.O_RDONLY)
        _lock(number, _PATIENCE)
    try:
        yield
    finally:
        if number is not None:
            os.close(number)


# ------------------------------------------------------------------ folders
def is_of_shards(folder: str) -> bool:
    """Whether a folder has the name of one that holds shards to be merged."""
    return _SHARDS.fullmatch(os.path.basename(folder)) is not None


def claim(folder: str) -> None:
    """Make a folder that is to be removed if this process dies before `release`."""
    if stores.is_remote(folder):
        _remote.add(folder)
        stores.makedirs(folder)
        return
    if folder not in _held:
        number = _locked_file(folder + _LOCK)
        if _held.setdefault(folder, number) != number:  # another thread was quicker
            os.close(number)
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder)


def release(folder: str) -> None:
    """The folder is done, or is to go: what is left of it is removed."""
    if folder in _remote:
        _remote.discard(folder)
        with contextlib.suppress(FileNotFoundError):
            stores.rmtree(folder)
        return
    number = _held.pop(folder, None)
    if number is not None:
        shutil.rmtree(folder, ignore_errors=True)
        _remove(folder + _LOCK)
        os.close(number)


def release_all(prefix: str) -> None:
    """Release the folders of shards that this process fills for a checkpoint."""
    for folder in [*_held, *_remote]:
        if folder.startswith(f"{prefix}_temp_"):
            release(folder)


# ------------------------------------------------------------------ leftovers
def leftovers(folder: str) -> Iterator[tuple[str, str]]:
    """(what it was to become, itself) for each thing in a folder without a writer.

    It is locked until the next one is asked for, and removed then.
    """
    if stores.is_remote(folder):
        return
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return
    for name in names:
        match = _OWN.fullmatch(name)
        if match:
            path = os.path.join(folder, name)
            target = os.path.join(folder, match[1])
            yield from _unlocked(path, target)


def sweep(folder: str) -> None:
    """Remove what writers that died have left in a folder."""
    for _ in leftovers(folder):
        pass


def _unlocked(path: str, target: str) -> Iterator[tuple[str, str]]:
    try:
        number = os.open(path, os.O_RDWR)
    except OSError:
        return
    try:
        if not _lock(number) or not _is_at(number, path):
            return
        yield target, path
        if path.endswith(_LOCK):
            shutil.rmtree(target, ignore_errors=True)
        _remove(path)
    finally:
        os.close(number)


# ------------------------------------------------------------------ locks
def _locked_file(path: str) -> int:
    """Make a file, locked by this process; returns its descriptor."""
    while True:
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        _lock(number, _PATIENCE)
        if _is_at(number, path):
            return number
        os.close(number)  # what sweeps has taken it: it was not locked yet


def _lock(number: int, patience: float = 0.0) -> bool:
    """Lock a file; False where another has it, or there are no locks."""
    end = time.monotonic() + patience
    while fcntl is not None:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                return False
            time.sleep(0.005)
        except OSError:
            return False
        else:
            return True
    return False


def _is_at(number: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(number), os.stat(path))
    except OSError:
        return False


def _remove(path: str) -> None:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        os.unlink(path)
