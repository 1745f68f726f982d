"""The menu above what a command shows."""

from typing import Any

from twinflow.tfdbg.text.menu import Menu, MenuItem
from twinflow.tfdbg.text.rich_text import MAIN_MENU_KEY


def _add_main_menu(
    output: Any,
    node_name: str | None = None,
    enable_list_tensors: bool = True,
    enable_node_info: bool = True,
    enable_print_tensor: bool = True,
    enable_list_inputs: bool = True,
    enable_list_outputs: bool = True,
) -> None:
    """Give an output its menu; what is about a node needs its name."""
    menu = Menu()
    menu.append(MenuItem("list_tensors", "list_tensors", enabled=enable_list_tensors))
    for caption, command, enabled in (
        ("node_info", "node_info -a -d -t %s", enable_node_info),
        ("print_tensor", "print_tensor %s", enable_print_tensor),
        ("list_inputs", "list_inputs -c -r %s", enable_list_inputs),
        ("list_outputs", "list_outputs -c -r %s", enable_list_outputs),
    ):
        if node_name:
            menu.append(MenuItem(caption, command % node_name, enabled=enabled))
        else:
            menu.append(MenuItem(caption, caption, enabled=False))
    menu.append(MenuItem("run_info", "run_info"))
    menu.append(MenuItem("help", "help"))
    output.annotations[MAIN_MENU_KEY] = menu
