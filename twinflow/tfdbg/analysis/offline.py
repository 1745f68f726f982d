"""`python -m tensorflow.python.debug.cli.offline_analyzer --dump_dir=FOLDER`."""

import argparse
import sys

from twinflow.tfdbg.analysis.analyzer import create_analyzer_ui
from twinflow.tfdbg.dumps.dump_dir import DebugDumpDir


def main(argv: list[str] | None = None) -> None:
    """Look at dumps that some run has left.

    Args:
        argv: the arguments; those of the process if not given.
    """
    p = argparse.ArgumentParser(description="Look at the dumps of a debugged run.")
    p.add_argument("--dump_dir", type=str, default="", help="tfdbg dump directory")
    p.add_argument(
        "--log_usage", nargs="?", const=True, default=True,
        help="without effect: nothing is logged",
    )  # fmt: skip
    p.add_argument(
        "--ui_type", type=str, default="curses",
        help="Command-line user interface type (curses | readline)",
    )  # fmt: skip
    p.add_argument(
        "--validate_graph", nargs="?", const=True, default=True,
        type=lambda text: text.lower() in ("true", "t", "1", "yes"),
        help="whether the dumps are compared with the graph",
    )  # fmt: skip
    parsed = p.parse_args(argv)
    if not parsed.dump_dir:
        print("ERROR: dump_dir flag is empty.", file=sys.stderr)
        sys.exit(1)
    print(f"tfdbg offline: FLAGS.dump_dir = {parsed.dump_dir}")
    dump = DebugDumpDir(parsed.dump_dir, validate=parsed.validate_graph)
    ui = create_analyzer_ui(dump, ui_type=parsed.ui_type)
    ui.run_ui(
        title=f"tfdbg offline @ {parsed.dump_dir}", title_color="black_on_white",
        init_command="lt",
    )  # fmt: skip


if __name__ == "__main__":
    main()
