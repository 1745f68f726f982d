"""tf.app: the entry point of a script."""

import sys
from typing import Any

from absl import app as absl_app

from twinflow.compat.flags import FLAGS


def run(main: Any = None, argv: Any = None) -> Any:
    """Parse the flags, call ``main(argv)`` and end the program with what it returns.

    Args:
        main: a function of the arguments that are no flags; `main` of the script if not
            given.
        argv: the command line; sys.argv if not given.
    Raises:
        SystemExit: always.
    Example:
        if __name__ == "__main__":
            tf.app.run()
    """
    absl_app.define_help_flags()
    rest = FLAGS(sys.argv if argv is None else argv, known_only=True)
    main = main or sys.modules["__main__"].main
    sys.exit(main(rest))
