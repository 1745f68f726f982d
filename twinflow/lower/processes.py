"""Processes that compute together, by jax's distributed runtime (Gloo, or NCCL).

Each process has one row of an array that is spread over a mesh of all of them; what
they give each other is a compiled program on that array. Arrays are flat here, and
filled up to few sizes, so that there are few programs. The mesh is one of XLA clients
that do nothing else: those which compute know of no other process, and may have
started before.
"""

import contextlib
import functools
import ipaddress
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax import lax
from jax._src.lib import _jax, xla_client
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from twinflow.base import errors
from twinflow.base.annotations import Array

_AXIS = "processes"
_LAUNCHED = "TWINFLOW_LOCAL_RANK"  # set by `twinflow launch`
_BEAT = 10  # seconds without a sign of life after which a process counts as dead
_BEATS = "beats/"
_FEW = 1 << 18  # elements: smaller arrays are filled up
_MERGE = {"sum": lax.psum, "min": lax.pmin, "max": lax.pmax}


class Runtime:
    """This process among others; all of them do the same in the same order.

    Args:
        address: host:port of the first one. size: how many there are.
        rank: the number of this one. seconds: to wait until all have come.
    Raises:
        DeadlineExceededError: not all came in time.
    """

    def __init__(self, address: str, size: int, rank: int, seconds: int) -> None:
        self.size, self.rank = size, rank
        connected = threading.Event()
        if rank == 0:
            _watch(_keep(address, size, seconds), address, connected)
        self._client = _connected(address, size, rank, seconds)
        connected.set()
        backend = xla_client.make_cpu_client(
            distributed_client=self._client, node_id=rank, num_nodes=size,
            num_devices=1, collectives=_jax.make_gloo_tcp_collectives(self._client),
        )  # fmt: skip
        devices = sorted(backend.devices(), key=lambda d: d.process_index)
        self._mesh = Mesh(np.array(devices), (_AXIS,))
        self._own = self._mesh.devices[rank]
        self._rows = NamedSharding(self._mesh, PartitionSpec(_AXIS))
        with _nothing_printed():
            self.reduced(np.zeros(1, np.int32), "sum", bytes(16))

    # ------------------------------------------------------------------ values
    def reduced(self, flat: Array, merge: str, digest: bytes) -> Array | None:
        """What the flat arrays of all processes become: "sum", "min" or "max".

        Args:
            digest: 16 bytes; None is returned unless all processes give the same.
        """
        found = self._run(merge, _filled(flat), digest)
        return None if found is None else found[: flat.size]

    def gathered(self, flat: Array, digest: bytes) -> Array | None:
        """The flat arrays of all processes, which have one size, as rows."""
        found = self._run("rows", _filled(flat), digest)
        return None if found is None else found[:, : flat.size]

    def _run(self, what: str, flat: Array, digest: bytes) -> Array | None:
        with jax.enable_x64(True):
            rows = self._spread(flat)
            found, same = self._program(what)(rows, self._digest(digest))
            if not same.addressable_data(0):
                return None
            return np.asarray(found.addressable_data(0))

    def _spread(self, flat: Array) -> jax.Array:
        """An array of all processes, of which this one has the row."""
        row = jax.device_put(flat[None], self._own)
        shape = self.size, flat.size
        return jax.make_array_from_single_device_arrays(shape, self._rows, [row])

    @functools.lru_cache(1 << 10)  # noqa: B019 - one for a process
    def _digest(self, digest: bytes) -> jax.Array:
        return self._spread(np.frombuffer(digest, np.int32))

    @functools.cache  # noqa: B019 - one for a process
    def _program(self, what: str) -> Any:
        """A program that compares digests, and moves values where they are one."""

        def inside(rows: Any, digest: Any) -> Any:
            digests = lax.all_gather(digest[0], _AXIS)
            same = (digests == digests[0]).all()
            return lax.cond(same, values, nothing, rows[0]), same

        def values(row: Any) -> Any:
            return (lax.all_gather if what == "rows" else _MERGE[what])(row, _AXIS)

        def nothing(row: Any) -> Any:
            rows = (self.size,) if what == "rows" else ()
            return jax.numpy.zeros(rows + row.shape, row.dtype)

        return jax.jit(
            jax.shard_map(
                inside, mesh=self._mesh, in_specs=PartitionSpec(_AXIS),
                out_specs=PartitionSpec(), check_vma=False,
            )
        )  # fmt: skip

    # ------------------------------------------------------------------ processes
    def beat(self) -> None:
        """Give a sign of life."""
        self._client.key_value_increment(f"{_BEATS}{self.rank}", 1)

    def beats(self) -> dict[int, str]:
        """How often each process has given one."""
        return {
            int(key.removeprefix(_BEATS)): n for key, n in self.said(_BEATS).items()
        }

    def say(self, key: str, text: str) -> None:
        """Tell all processes something."""
        self._client.key_value_set(key, text, allow_overwrite=True)

    def said(self, key: str) -> dict[str, str]:
        """What has been told under keys that begin so: {key: text}."""
        return dict(self._client.key_value_dir_get(key))

    def leave(self) -> None:
        """Tell the others that this process is gone."""
        self._client.shutdown()


def _keep(address: str, size: int, seconds: int) -> subprocess.Popen:
    """Start the program that keeps the list of processes."""
    host, _, port = address.rpartition(":")
    bound = address if _is_loopback(host) else f"[::]:{port}"
    keeper = Path(__file__).with_name("keeper.py")
    command = [sys.executable, "-P", str(keeper), address, bound]
    return subprocess.Popen(
        [*command, str(size), str(seconds), str(_BEAT)], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=_LAUNCHED not in os.environ,  # else `launch` ends the group
    )  # fmt: skip


def _watch(keeper: subprocess.Popen, address: str, connected: threading.Event) -> None:
    """End this process if the keeper ends before all have come; jax does so later."""

    def watch() -> None:
        keeper.wait()
        if not connected.is_set():
            print(
                f"The list of processes at {address} is gone before all have come: its "
                "keeper has ended. Is the port taken, or has someone killed it?",
                file=sys.stderr, flush=True,
            )  # fmt: skip
            os._exit(1)

    threading.Thread(target=watch, name="keeper", daemon=True).start()


@contextlib.contextmanager
def _nothing_printed() -> Iterator[None]:
    """A block in which Gloo, which tells of each connection on stdout, cannot."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _connected(address: str, size: int, rank: int, seconds: int) -> Any:
    client = _jax.get_distributed_runtime_client(
        address, rank, init_timeout=seconds, use_compression=True,
        heartbeat_timeout=_BEAT,
    )  # fmt: skip
    try:
        client.connect()
    except jax.errors.JaxRuntimeError as error:
        raise errors.DeadlineExceededError(
            None, None,
            f"Not all of {size} processes came to {address} within {seconds} s; this "
            f"is process {rank}. {str(error).splitlines()[0]}",
        ) from None  # fmt: skip
    return client


def _filled(flat: Array) -> Array:
    """A flat array with zeros up to one of few sizes."""
    n = flat.size
    if n >= _FEW:
        return flat
    full = np.zeros(max(64, 1 << (n - 1).bit_length()), flat.dtype)
    full[:n] = flat
    return full
