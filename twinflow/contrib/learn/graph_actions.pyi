# Made by `make stubs` from the table of the index.
from twinflow.checkpoint.reader import load_variable as load_variable
from twinflow.contrib.learn.graph_runs import clear_summary_writers as clear_summary_writers
from twinflow.contrib.learn.graph_runs import evaluate as evaluate
from twinflow.contrib.learn.graph_runs import get_summary_writer as get_summary_writer
from twinflow.contrib.learn.graph_runs import infer as infer
from twinflow.contrib.learn.graph_runs import run_feeds as run_feeds
from twinflow.contrib.learn.graph_runs import run_feeds_iter as run_feeds_iter
from twinflow.contrib.learn.graph_runs import run_n as run_n
from twinflow.contrib.learn.graph_runs import train as train

__all__ = [
"load_variable", "clear_summary_writers", "evaluate", "get_summary_writer", "infer",
"run_feeds", "run_feeds_iter", "run_n", "train"
]
