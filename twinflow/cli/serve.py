"""`twinflow serve MODEL_DIR`: models behind TensorFlow Serving's interfaces."""

import os
import types
from typing import Any

from twinflow.base import logging, stores
from twinflow.cli import drawing

try:
    from twinflow.serving import configs
    from twinflow.serving.server import Server
    from twinflow.serving.settings import Settings
except ImportError as error:  # an extra
    MISSING: str | None = str(error)
else:
    MISSING = None


def main(**given: Any) -> int:
    """Serve until SIGTERM or SIGINT.

    Args:
        given: the options of the command.
    Returns:
        The exit status: 0 after such a signal, 2 if nothing can be served.
    """
    if MISSING is not None:
        text = 'It needs more packages: python -m pip install "twinflow[serve]"'
        return drawing.failed("serve", f"{MISSING}. {text}")
    options = types.SimpleNamespace(**given)
    if (options.model_dir is None) == (options.config is None):
        return drawing.failed("serve", "give a MODEL_DIR, or --config FILE")
    logging.set_verbosity(logging.INFO)

    def work() -> int:
        Server(_config(options), _settings(options)).run()
        return 0

    return drawing.guarded("serve", work)


def _config(options: Any) -> Any:
    if options.config is not None:
        return configs.of_file(options.config)
    folder = options.model_dir
    if not stores.isdir(folder):
        raise ValueError(f"there is no folder {folder}")
    name = options.name or os.path.basename(stores.absolute(folder.rstrip("/")))
    return configs.of_folder(folder, name)


def _settings(options: Any) -> Any:
    rest, grpc = options.rest_port, options.grpc_port
    return Settings(
        host=options.host, rest_port=None if rest < 0 else rest,
        grpc_port=None if grpc < 0 else grpc, poll=options.poll,
        threads=options.threads, waiting=options.waiting, timeout=options.timeout,
        max_bytes=options.max_bytes, max_connections=options.max_connections,
        batch=options.batch, batch_wait=options.batch_wait,
        shutdown_wait=options.shutdown_wait,
        reload=True if options.reload_config else None,
    )  # fmt: skip
