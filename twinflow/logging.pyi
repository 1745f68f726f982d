# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.base.logging import DEBUG as DEBUG
from twinflow.base.logging import ERROR as ERROR
from twinflow.base.logging import FATAL as FATAL
from twinflow.base.logging import INFO as INFO
from twinflow.base.logging import WARN as WARN
def TaskLevelStatusMessage(msg: str, *args: Any, **kwargs: Any) -> None:
    r"""Log ``msg % args`` as an error.
    """
from twinflow.base.logging import debug as debug
from twinflow.base.logging import error as error
from twinflow.base.logging import fatal as fatal
from twinflow.base.logging import flush as flush
from twinflow.base.logging import get_verbosity as get_verbosity
from twinflow.base.logging import info as info
from twinflow.base.logging import log as log
from twinflow.base.logging import log_every_n as log_every_n
from twinflow.base.logging import log_first_n as log_first_n
from twinflow.base.logging import log_if as log_if
from twinflow.base.logging import set_verbosity as set_verbosity
def vlog(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    r"""Log ``msg % args`` at a level.
    """
def warn(msg: str, *args: Any, **kwargs: Any) -> None:
    r"""Log ``msg % args`` as a warning.
    """
from twinflow.base.logging import warning as warning

__all__ = [
"DEBUG", "ERROR", "FATAL", "INFO", "WARN", "TaskLevelStatusMessage", "debug", "error",
"fatal", "flush", "get_verbosity", "info", "log", "log_every_n", "log_first_n",
"log_if", "set_verbosity", "vlog", "warn", "warning"
]
