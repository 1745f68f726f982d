"""A program that keeps the list of processes that compute together.

It runs beside the first of them, and outlives it: jax ends every process at once, in
the middle of what it does, when this list is gone. It ends when all of them have left.

    python -P keeper.py HOST:PORT BIND:PORT COUNT SECONDS BEAT
"""

import os
import signal
import sys
import time

from jax._src.lib import _jax

_LOOK = 0.5  # seconds between two looks at who is there


def main(address: str, bound: str, count: int, seconds: int, beat: int) -> None:
    """Keep the list until all have left.

    Args:
        address: where the others find it. bound: where it listens.
        count: of the processes. seconds: to wait until all have come.
        beat: seconds without a sign of life after which one counts as dead.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    service = _jax.get_distributed_runtime_service(
        bound, count + 1, heartbeat_timeout=beat, shutdown_timeout=1, recoverable=True
    )
    client = _jax.get_distributed_runtime_client(
        address, count, init_timeout=seconds, use_compression=True,
        heartbeat_timeout=beat,
    )  # fmt: skip
    client.connect()
    everyone = list(range(count + 1))
    while len(client.get_live_nodes(everyone)) > 1:
        time.sleep(_LOOK)
    service.shutdown()


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
    finally:
        os._exit(0)  # the list is gone: jax would end this process with a report
