"""An interface by its name."""

from collections.abc import Callable

from twinflow.tfdbg.shell.base_ui import BaseUI
from twinflow.tfdbg.shell.settings import CLIConfig

try:  # a Python without the library has no module curses
    from twinflow.tfdbg.shell.curses_ui import CursesUI
except ImportError:
    CursesUI = None  # type: ignore[assignment, misc]
try:
    from twinflow.tfdbg.shell.readline_ui import ReadlineUI
except ImportError:
    ReadlineUI = None  # type: ignore[assignment, misc]

SUPPORTED_UI_TYPES = ["curses", "readline"]


def get_ui(
    ui_type: str,
    on_ui_exit: Callable | None = None,
    available_ui_types: list[str] | None = None,
    config: CLIConfig | None = None,
) -> BaseUI:
    """An interface; another one where this machine cannot have it.

    Args:
        ui_type: "curses" or "readline". on_ui_exit: called when it ends.
        available_ui_types: those to choose from. config: a CLIConfig, or None.
    Raises:
        ValueError: another name, or none of them can be had.
    """
    names = SUPPORTED_UI_TYPES if available_ui_types is None else available_ui_types
    if ui_type and ui_type not in names:
        raise ValueError(f"Invalid ui_type: '{ui_type}'")
    classes = {"curses": CursesUI, "readline": ReadlineUI}
    for name in [ui_type, *(n for n in names if n != ui_type)]:
        if classes.get(name) is None:
            continue
        try:
            return classes[name](on_ui_exit=on_ui_exit, config=config)
        except ImportError:
            continue
    raise ValueError("Exhausted all fallback ui_types.")
