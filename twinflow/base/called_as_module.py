"""Python's own modules stay its own under `python -m twinflow`.

It looks first in the folder it is called in, where a types.py or a queue.py may lie;
the runner puts the script's folder there when all is loaded. Imported before the rest.
"""

import os
import sys

_BEHIND = sys.orig_argv[-len(sys.argv) :]  # `-m` stands for the module while it loads
if sys.argv[:1] == ["-m"] and _BEHIND[:1] == ["twinflow"] and not sys.flags.safe_path:
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
