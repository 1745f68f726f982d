"""What is shown before a run, and after one that failed."""

from typing import Any

from twinflow.tfdbg.dumps.run_keys import get_flattened_names, get_graph_element_name
from twinflow.tfdbg.text.menu import Menu, MenuItem
from twinflow.tfdbg.text.readable import _recommend_command
from twinflow.tfdbg.text.rich_text import MAIN_MENU_KEY, RichLine, RichTextLines

_BAR = "======================================"
_ERROR_BAR = "--------------------------------------"


def get_run_start_intro(
    run_call_count: int,
    fetches: Any,
    feed_dict: dict | None,
    tensor_filters: dict,
    is_callable_runner: bool = False,
) -> RichTextLines:
    """What a person sees before a run: what is fetched and fed, and the commands.

    Args:
        run_call_count: the number of the run. fetches, feed_dict: those of the run.
        tensor_filters: {name: filter}. is_callable_runner: whether what
            Session.make_callable returned is being run.
    """
    whole = RichTextLines([_BAR])
    if is_callable_runner:
        whole.append("Running a runner returned by Session.make_callable()")
    else:
        _append_call(whole, run_call_count, fetches, feed_dict)
    for line in (_BAR, "", "Select one of the following commands to proceed ---->"):
        whole.append(line)
    for command, meaning, link in (
        ("run", "Execute the run() call with debug tensor-watching", True),
        ("run -n", "Execute the run() call without debug tensor-watching", True),
        ("run -t <T>", "Execute run() calls (T - 1) times without debugging, then "
         "execute run() once more with debugging and drop back to the CLI", False),
        ("run -f <filter_name>", "Keep executing run() calls until a dumped tensor "
         "passes a given, registered filter (conditional breakpoint mode)", False),
    ):  # fmt: skip
        whole.extend(_recommend_command(command, meaning, create_link=link))
    _append_filters(whole, tensor_filters)
    whole.extend(_recommend_command(
        "invoke_stepper",
        "Use the node-stepper interface, which allows you to interactively step through"
        " nodes involved in the graph run() call and inspect/modify their values",
        create_link=True,
    ))  # fmt: skip
    whole.append("")
    more = RichLine("For more details, see ")
    whole.append_rich_line(more + RichLine("help.", MenuItem("", "help")) + ".")
    whole.append("")
    menu = Menu()
    for caption in ("run", "invoke_stepper", "exit"):
        menu.append(MenuItem(caption, caption))
    whole.annotations[MAIN_MENU_KEY] = menu
    return whole


def _append_call(
    whole: RichTextLines, count: int, fetches: Any, feed_dict: dict | None
) -> None:
    """What a run fetches, and what it is fed."""
    for line in (f"Session.run() call #{count}:", "", "Fetch(es):"):
        whole.append(line)
    for name in get_flattened_names(fetches):
        whole.append(f"  {name}")
    whole.append("")
    whole.append("Feed dict:")
    if not feed_dict:
        whole.append("  (Empty)")
    for key in feed_dict or ():
        name = get_graph_element_name(key)
        link = MenuItem("", f"pf '{name}'")
        whole.append_rich_line(RichLine("  ") + RichLine(name, link))


def _append_filters(whole: RichTextLines, tensor_filters: dict) -> None:
    whole.append("    Registered filter(s):")
    if not tensor_filters:
        whole.append("        (None)")
    for name in tensor_filters:
        link = MenuItem("", f"run -f {name}")
        whole.append_rich_line(RichLine("        * ") + RichLine(name, link))


def get_run_short_description(
    run_call_count: int,
    fetches: Any,
    feed_dict: dict | None,
    is_callable_runner: bool = False,
) -> str:
    """One line, such as `run #2: 1 fetch (loss:0); 2 feeds`."""
    if is_callable_runner:
        return "runner from make_callable()"
    text = f"run #{run_call_count}: "
    if hasattr(fetches, "name"):
        text += f"1 fetch ({fetches.name}); "
    else:
        count = len(get_flattened_names(fetches))
        text += f"{count} fetch{'es' if count > 1 else ''}; "
    feeds = list(feed_dict or ())
    if len(feeds) == 1:
        return text + f"1 feed ({get_graph_element_name(feeds[0])})"
    return text + f"{len(feeds)} feeds"


def get_error_intro(tf_error: Any) -> RichTextLines:
    """What a person sees after a run that raised.

    Args:
        tf_error: the tf.errors.OpError.
    """
    name = getattr(getattr(tf_error, "op", None), "name", None)
    whole = RichTextLines([_ERROR_BAR])
    whole.append_rich_line(
        RichLine("!!! An error occurred during the run !!!", "blink")
    )
    whole.append("")
    if name is None:
        whole.append(
            "WARNING: Cannot determine the name of the op that caused the error."
        )
    else:
        whole.append("You may use the following commands to debug:")
        for command, meaning in (
            (f"ni -a -d -t {name}", "Inspect information about the failing op."),
            (f"li -r {name}", "List inputs to the failing op, recursively."),
            ("lt", "List all tensors dumped during the failing run() call."),
        ):
            whole.extend(_recommend_command(command, meaning, create_link=True))
    for line in (
        "", f"Op name:    {name}", f"Error type: {type(tf_error)}", "", "Details:",
        str(tf_error), "", _ERROR_BAR, "",
    ):  # fmt: skip
        whole.append(line)
    return whole
