"""All commands of `twinflow`: what each takes and says, and what carries it out."""

import os
from typing import Any

import click

from twinflow_terminal import statuses
from twinflow_terminal import style as styles
from twinflow_terminal.main import COMPLETE
from twinflow_terminal.style import Command, Group, ProgramCommand

_FILE = click.Path()
_WHOLE, _COUNT = click.IntRange(min=0), click.IntRange(min=1)
_SECONDS = click.FloatRange(min=0)


def _option(*names: str, **how: Any) -> click.Option:
    return click.Option(list(names), **how)


def _switch(*names: str, text: str) -> click.Option:
    return click.Option(list(names), is_flag=True, help=text)


def _given(name: str, unit: str, **how: Any) -> click.Argument:
    return click.Argument([name], metavar=unit, **how)


_JSON = _switch("--json", "as_json", text="Write JSON, for other programs.")
_QUIET = _switch("-q", "--quiet", text="Print nothing, and no progress.")
_REPORT = _option("--json", "json_file", metavar="FILE", type=_FILE,
                  help="Write the report as JSON, too.")  # fmt: skip
_COMMANDS = _option(
    "-c", "commands", metavar="COMMAND", multiple=True,
    help="A first command for the prompt; may come several times.",
)  # fmt: skip
_RECORD = _option(
    "--record", "megabytes", metavar="MB", type=_WHOLE, default=256, show_default=True,
    help="How much of what ran is kept, to step back to.",
)  # fmt: skip

# ------------------------------------------------------------------ programs
RUN = ProgramCommand(
    "run", "twinflow.cli.run:main",
    "Run a script, module or notebook on twinflow. `import tensorflow` gives twinflow "
    "in it; it is the same as with `python script.py` otherwise.",
    epilog="""
twinflow run script.py [arguments]
twinflow run -m module [arguments]    as python -m does
twinflow run notebook.ipynb           the code cells in order
""",
)  # fmt: skip
LAUNCH = ProgramCommand(
    "launch", "twinflow.cli.launch:main",
    "Run a script in several processes that compute together. Each does `twinflow "
    "run`, and its lines begin with its number: [0], [1] ... When one fails, the "
    "others are stopped, and its status is that of the command.",
    _option("-n", "count", metavar="COUNT", type=_COUNT, help="Of processes here."),
    _option("--hosts", metavar="HOST:COUNT,...", help="All hosts, with processes."),
    _option("--rank-offset", metavar="N", type=_WHOLE,
            help="The number of this host's first process."),
    _option("--coordinator", metavar="HOST:PORT",
            help="Where the first process is reached."),
    _option("--restart", metavar="N", type=_WHOLE, default=0, show_default=True,
            help="Times to start all again when one has failed."),
    _option("--restart-with", metavar="COUNT", type=_COUNT, help="Of processes then."),
    _option("--grace", metavar="SECONDS", type=_SECONDS, default=10.0,
            show_default=True, help="From SIGTERM to SIGKILL."),
    epilog="""
Several hosts: the same command on each, as

twinflow launch --hosts a:2,b:2 --coordinator a:20117 --rank-offset 2 script.py

on b, whose first process is number 2. Under SLURM, Open MPI or an indexed job of
Kubernetes the scheduler starts `twinflow launch script.py` once for each process.
""",
)  # fmt: skip
DEBUG = ProgramCommand(
    "debug", "twinflow.cli.debug:main",
    "Run a script under the debugger, which stops inside graphs too. `help` at its "
    "prompt lists what it does.",
    _RECORD, _COMMANDS,
)  # fmt: skip
PROFILE = ProgramCommand(
    "profile", "twinflow.cli.profile:main",
    "Run a script, and say where its time went. The report goes to the standard error.",
    _option("--html", metavar="FILE", type=_FILE, help="Flame graph and tables."),
    _option("--trace", metavar="FILE", type=_FILE, help="For Chrome's tracing."),
    _REPORT,
)  # fmt: skip
VERIFY = ProgramCommand(
    "verify", "twinflow.cli.verify:main",
    "Compare the ways of running a script, and say where they differ. It runs eagerly, "
    "as graph, and compiled.",
    _REPORT,
    _option("--limit", "seconds", metavar="SECONDS", type=_SECONDS,
            help="After which the script is stopped, in every way at the same step."),
    _option("--budget", "megabytes", metavar="MB", type=_SECONDS, default=256.0,
            show_default=True, help="Of arrays to keep, in each way."),
    _option("--against", metavar="tensorflow", help="Compare with a real TensorFlow."),
    _option("--python", metavar="PATH", type=_FILE, envvar="TF112_PYTHON",
            help="A Python that has it."),
    _option("--request", type=_FILE, hidden=True),
    _option("--to", type=_FILE, hidden=True),
)  # fmt: skip
REPLAY = Command(
    "replay", "twinflow.cli.replay:main",
    "Run a failed step again, to the op that failed. The file is what `twinflow run "
    "--capsule FILE` kept; on a terminal, the debugger opens there.",
    _option("--debug/--no-debug", "debug", default=None,
            help="Whether the debugger opens."),
    _option("--json", "json_file", metavar="FILE", type=_FILE,
            help="Write the report as JSON; '-' is the standard output."),
    _option("--break", "breaks", metavar="WHERE", multiple=True,
            help="Stop there, too."),
    _RECORD, _COMMANDS, _given("file", "FILE", type=_FILE),
)  # fmt: skip

# ------------------------------------------------------------------ files
CHECK = Command(
    "check", "twinflow.cli.check:main",
    "List what scripts use that twinflow, NumPy 2 or Python 3 lack. Nothing of them "
    "runs. Folders are looked through for scripts and notebooks.",
    _switch("--habits", text="List also what `twinflow run` mends: names of NumPy 1, "
            "scipy.misc."),
    _JSON, _given("paths", "PATH...", nargs=-1, required=True, type=_FILE),
)  # fmt: skip
_CHECKPOINT = """
CHECKPOINT is a prefix (model.ckpt-100), its .index file, or a folder.
"""
_PREFIX = _given("path", "CHECKPOINT", type=_FILE)
CKPT = Group("ckpt", "Look into checkpoints, compare them, and take values out.", {
    "Commands": [
        Command("ls", "twinflow.cli.ckpt:ls",
                "List the tensors: name, dtype, shape, bytes.", _JSON, _PREFIX),
        Command("show", "twinflow.cli.ckpt:show", "Print the values of tensors.",
                _PREFIX, _given("names", "NAME...", nargs=-1, required=True)),
        Command("diff", "twinflow.cli.ckpt:diff",
                "Say what differs between two checkpoints.",
                _given("one", "ONE", type=_FILE), _given("another", "ANOTHER",
                                                         type=_FILE)),
        Command("to", "twinflow.cli.ckpt:to",
                "Write the values to a .npz or .safetensors file.",
                _QUIET, _PREFIX, _given("target", "FILE", type=_FILE)),
    ],
}, epilog="\b" + _CHECKPOINT)  # fmt: skip
_TAGS = _option("--tags", metavar="TAG,...", help="Which graph of a SavedModel.")
GRAPH = Command(
    "graph", "twinflow.cli.graph_summary:main",
    "Summarize a graph: inputs, outputs, variables, ops by type, size. The file is a "
    "GraphDef (.pb, .pbtxt), a MetaGraph (.meta), or the folder of a SavedModel.",
    _TAGS, _JSON, _given("path", "FILE", type=_FILE),
)  # fmt: skip
_SIGNATURE = _option("--signature", metavar="NAME", help="Only this one.")
_FOLDER = _given("folder", "FOLDER", type=_FILE)
SAVED_MODEL = Group("saved-model", "Look at SavedModels, and run them.", {
    "Commands": [
        Command("show", "twinflow.cli.saved_models:show",
                "List the signatures: what they take and give.",
                _TAGS, _SIGNATURE, _JSON, _FOLDER),
        Command("run", "twinflow.cli.saved_models:run",
                "Run a signature, and print or keep what it gives. Inputs are files of "
                "NumPy or Python literals; nothing in them is run.",
                _TAGS,
                _option("--signature", metavar="NAME", default="serving_default",
                        show_default=True, help="Which one."),
                _option("--input", "inputs", metavar="NAME=VALUE", multiple=True,
                        help="x=[[1, 2]], x=zeros(2, 3), x=@file.npy, "
                        "x=@file.npz:key; may come several times."),
                _option("--to", "target", metavar="FILE.npz", type=_FILE,
                        help="Keep what it gives, instead of printing it."),
                _FOLDER),
    ],
})  # fmt: skip
EVENTS = Group("events", "Look into event files, which TensorBoard shows.", {
    "Commands": [
        Command("ls", "twinflow.cli.events:ls",
                "List the tags, with first and last step and value.",
                _JSON, _given("path", "FILE", type=_FILE)),
        Command("plot", "twinflow.cli.events:plot",
                "Draw the curves of scalars in the terminal.",
                _option("--width", type=_COUNT, help="Of a curve, in characters."),
                _option("--height", type=_COUNT, default=12, show_default=True,
                        help="In lines."),
                _given("path", "FILE", type=_FILE), _given("tags", "TAG...", nargs=-1)),
    ],
}, epilog="FILE is an event file, or a folder that holds some.")  # fmt: skip
CONVERT = Command(
    "convert", "twinflow.cli.convert:main",
    "Write a file in another format, which its ending says.",
    _QUIET, _given("source", "SRC", type=_FILE), _given("target", "DST", type=_FILE),
    epilog="""
.keras, .h5                  Keras models
.weights.h5                  their weights
.safetensors                 named values
.pb, .pbtxt                  graphs without variables
.onnx, .stablehlo, .tflite   models and graphs, for onnxruntime, jax and LiteRT
a folder (or a name with /)  a SavedModel
any other name               a checkpoint
""",
)  # fmt: skip


def _serving(name: str, kind: Any, default: Any, unit: str, text: str) -> click.Option:
    return _option(name, type=kind, default=default, metavar=unit, help=text,
                   show_default=default is not None)  # fmt: skip


_PORT = click.IntRange(-1, 65535)
SERVE = Command(
    "serve", "twinflow.cli.serve:main",
    "Serve SavedModels by TensorFlow Serving's REST and gRPC interfaces.",
    _serving("--config", _FILE, None, "FILE", "Several models, in place of MODEL_DIR."),
    _serving("--name", str, None, "NAME", "The model's; its folder's if not given."),
    _serving("--host", str, "127.0.0.1", "ADDRESS", "Where to listen."),
    _serving("--rest-port", _PORT, 8501, "PORT", "Of REST; 0: a free one, -1: none."),
    _serving("--grpc-port", _PORT, 8500, "PORT", "Of gRPC; 0: a free one, -1: none."),
    _serving("--poll", _SECONDS, 1.0, "SECONDS", "Between looks for versions; 0: one."),
    _serving("--threads", _COUNT, os.cpu_count() or 1, "N", "Runs at the same time."),
    _serving("--waiting", _WHOLE, 1000, "N", "Requests that may wait beside them."),
    _serving("--timeout", _SECONDS, 30.0, "SECONDS", "That a request may take."),
    _serving("--max-bytes", _COUNT, 64 * 2**20, "N", "Of a request."),
    _serving("--max-connections", _COUNT, 1000, "N", "Of REST at the same time."),
    _serving("--batch", _WHOLE, 0, "N", "Rows of requests that are joined; 0: none."),
    _serving("--batch-wait", _SECONDS, 2.0, "MS", "That a request waits for others."),
    _serving("--shutdown-wait", _SECONDS, 30.0, "SECONDS", "For requests, on SIGTERM."),
    _switch("--reload-config",
            text="Let gRPC clients say which models are served, on any --host."),
    _given("model_dir", "MODEL_DIR", required=False, type=_FILE),
    epilog="""
MODEL_DIR holds folders named 1, 2 ... with a SavedModel each, of which the newest one
is served, or is itself a SavedModel. FILE lists several models: TensorFlow Serving's
ModelServerConfig as JSON or in text format.
""",
)  # fmt: skip

# ------------------------------------------------------------------ this machine
DOCTOR = Command(
    "doctor", "twinflow.cli.doctor:main",
    "Say what twinflow finds on this machine, what is slow or broken, and how to mend "
    "it.",
    _JSON,
)  # fmt: skip
CACHE = Group("cache", "Look at the compiled programs that are kept on disk.", {
    "Commands": [
        Command("ls", "twinflow.cli.cache:ls",
                "List what is kept, what was used last first.", _JSON),
        Command("clear", "twinflow.cli.cache:clear", "Remove them."),
    ],
}, epilog="\b\nThey are in twinflow/compiled of XDG_CACHE_HOME (or ~/.cache), at most "
"1 GiB;\nTWINFLOW_COMPILE_CACHE=off keeps none.")  # fmt: skip
COMPLETION = Command(
    "completion", "twinflow_terminal.completion:main",
    "Print what lets a shell complete commands, options and files.",
    _given("shell", "bash|zsh|fish", type=click.Choice(["bash", "zsh", "fish"])),
    epilog="""
bash   eval "$(twinflow completion bash)" in ~/.bashrc
zsh    eval "$(twinflow completion zsh)" in ~/.zshrc
fish   twinflow completion fish > ~/.config/fish/completions/twinflow.fish
""",
)  # fmt: skip
MAN = Command(
    "man", "twinflow_terminal.manual:main",
    "Print the manual page, made from these texts.",
    epilog="\ntwinflow man > ~/.local/share/man/man1/twinflow.1; man twinflow\n",
)  # fmt: skip

SECTIONS: dict[str, list[click.Command]] = {
    "Run programs": [RUN, LAUNCH, DEBUG, PROFILE, VERIFY, REPLAY],
    "Look into files": [CHECK, CKPT, GRAPH, SAVED_MODEL, EVENTS],
    "Make of models": [CONVERT, SERVE],
    "This machine": [DOCTOR, CACHE, COMPLETION, MAN],
}
_EPILOG = "\b\nExit statuses:\n" + "\n".join(
    f"  {number:>3}  {text}" for number, text in statuses.TABLE
)
TWINFLOW = Group(
    "twinflow",
    "The TensorFlow 1.12 API for today's Python: one program, eagerly and as a graph.",
    SECTIONS, epilog=_EPILOG,
    params=[_switch("-V", "--version", text="Which twinflow this is.")],
    callback=lambda version: None,
)  # fmt: skip


def _help_of_all(command: click.Command) -> None:
    """`-h` does what `--help` does."""
    command.context_settings["help_option_names"] = ["-h", "--help"]
    for inner in getattr(command, "commands", {}).values():
        _help_of_all(inner)


_help_of_all(TWINFLOW)


def obey(argv: list[str]) -> int:
    """Carry out a command line; returns the exit status."""
    if argv[:1] == ["help"]:
        argv = [*argv[1:], "--help"]
    return styles.obey(TWINFLOW, argv, COMPLETE)
