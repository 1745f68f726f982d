"""`twinflow serve MODEL_DIR`: models behind TensorFlow Serving's interfaces."""

import argparse
import os
import sys
from typing import Any

from twinflow.base import errors, logging, stores

try:
    from twinflow.serving import configs
    from twinflow.serving.server import Server
    from twinflow.serving.settings import Settings
except ImportError as error:  # an extra
    MISSING: str | None = str(error)
else:
    MISSING = None

_EPILOG = """\
MODEL_DIR holds folders named 1, 2 ... with a SavedModel each, of which the newest one
is served, or is itself a SavedModel. FILE lists several models: TensorFlow Serving's
ModelServerConfig as JSON or in text format.
"""


def main(argv: list[str]) -> int:
    """Serve until SIGTERM or SIGINT.

    Returns:
        The exit status: 0 after such a signal, 1 if nothing can be served, 2 for a
        command line that cannot be read.
    """
    if MISSING is not None:
        print(
            f"twinflow serve: {MISSING}. It needs more packages: python -m pip install "
            '"twinflow[serve]"', file=sys.stderr,
        )  # fmt: skip
        return 1
    try:
        options = _parser().parse_args(argv)
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 2
    logging.set_verbosity(logging.INFO)
    try:
        server = Server(_config(options), _settings(options))
        server.run()
    except (OSError, ValueError, errors.OpError) as error:
        text = getattr(error, "message", None) or error
        print(f"twinflow serve: {text}", file=sys.stderr)
        return 1
    return 0


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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "twinflow serve", description="Serve models by REST and gRPC.", epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("model_dir", metavar="MODEL_DIR", nargs="?", help="the model")
    what.add_argument("--config", metavar="FILE", help="a list of models instead")
    for name, kind, default, unit, text in _OPTIONS:
        parser.add_argument(
            name, type=kind, default=default, metavar=unit,
            help=text if default is None else f"{text} ({default})",
        )  # fmt: skip
    parser.add_argument(
        "--reload-config", action="store_true",
        help="let gRPC clients say which models are served, on any --host",
    )  # fmt: skip
    return parser


def _port(text: str) -> int:
    number = int(text)
    if not -1 <= number <= 65535:
        raise ValueError
    return number


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def _seconds(text: str) -> float:
    number = float(text)
    if not 0 <= number < 1e9:
        raise ValueError
    return number


_OPTIONS = (
    ("--name", str, None, "NAME", "the model's name; that of its folder if not given"),
    ("--host", str, "127.0.0.1", "ADDRESS", "where to listen"),
    ("--rest-port", _port, 8501, "PORT", "of REST; 0: a free one, -1: none"),
    ("--grpc-port", _port, 8500, "PORT", "of gRPC; 0: a free one, -1: none"),
    ("--poll", _seconds, 1.0, "SECONDS", "between looks for versions; 0: one look"),
    ("--threads", _positive, os.cpu_count() or 1, "N", "runs at the same time"),
    ("--waiting", _count, 1000, "N", "requests that may wait beside them"),
    ("--timeout", _seconds, 30.0, "SECONDS", "that a request may take"),
    ("--max-bytes", _positive, 64 * 2**20, "N", "of a request"),
    ("--max-connections", _positive, 1000, "N", "of REST at the same time"),
    ("--batch", _count, 0, "N", "rows of requests that are joined; 0: none"),
    ("--batch-wait", _seconds, 2.0, "MS", "that a request waits for others"),
    ("--shutdown-wait", _seconds, 30.0, "SECONDS", "for requests after SIGTERM"),
)
