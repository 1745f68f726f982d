"""`python -m twinflow`: see twinflow.cli."""

import sys

from twinflow_terminal.main import main

if __name__ == "__main__":
    sys.exit(main())
