"""`twinflow run script.py [args]` and its sisters."""

import importlib.metadata
import pkgutil
import sys

USAGE = """\
usage: twinflow run script.py [arguments]   run it; `import tensorflow` gives twinflow
       twinflow run -m module [arguments]   the same for a module, as python -m does
       twinflow run notebook.ipynb [...]    the same for the code cells of a notebook
          --py2          before the script: it is written in Python 2
          --sample-data  data sets that are not on this machine are made up
          --since 0.8    it was written for a TensorFlow before 1.0 (tf.mul, tf.pack)
          --plots DIR    where the plots of a notebook go (NAME_plots)
          --capsule FILE where a step that fails is kept, for `twinflow replay`
       twinflow debug script.py [...]       the same under the debugger: stops in graphs
          --record MB    before the script: how much of what ran is kept (256)
          -c COMMAND     a first command for the prompt; may come several times
       twinflow replay FILE                 a failed step again, to the op that failed
          --no-debug     before the file: only say whether it fails as it did
          --json FILE    the report for other programs ('-': the standard output)
          -c COMMAND, --break WHERE, --record MB  for the prompt
       twinflow profile script.py [...]     run it, and say where its time went
          --html, --trace, --json FILE      before the script: the same as files
       twinflow check script.py ...         list the TensorFlow symbols twinflow lacks
       twinflow verify script.py [-- ...]   the same in both modes? where not?
          --json FILE, --budget MB  before the script
       twinflow serve MODEL_DIR             serve SavedModels by REST and gRPC
          --config FILE  several models; --help lists ports, limits and batching
       twinflow launch -n 4 script.py [...] run it in processes that compute together
          --restart N    start all again when one dies; --help lists hosts, schedulers
       twinflow ckpt ls|show|diff FILE ...  what is in checkpoints
       twinflow convert SRC DST             a file in another format, by its ending
       twinflow cache ls|clear              the compiled programs kept on disk
       twinflow --version                   which twinflow this is
"""
_HELP = ("-h", "--help", "help")
# A module each, loaded when it is used.
_BRIEF = ("run", "debug", "replay", "profile", "check", "verify", "ckpt", "convert",
          "cache")  # fmt: skip
_COMMANDS = (*_BRIEF, "serve", "launch")  # which have a help of their own


def main(argv=None):
    """Carry out a command line.

    Args:
        argv: the arguments behind the program's name; those of sys.argv if not given.
    Returns:
        The exit status: 2 for a command line that cannot be read.
    """
    command, *rest = (sys.argv[1:] if argv is None else argv) or ["--help"]
    if command in _HELP or (command in _BRIEF and rest[:1] and rest[0] in _HELP):
        print(USAGE, end="")
        return 0
    if command in ("-V", "--version", "version"):
        print(f"twinflow {importlib.metadata.version('twinflow')}")
        return 0
    if command not in _COMMANDS:
        print(f"twinflow: no command {command!r}\n{USAGE}", end="", file=sys.stderr)
        return 2
    return pkgutil.resolve_name(f"twinflow.cli.{command}:main")(rest)
