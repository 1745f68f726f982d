"""The commands that look at the dumps of a run."""

from collections.abc import Callable
from typing import Any

from twinflow.tfdbg.analysis import arguments
from twinflow.tfdbg.analysis.evaluator import ExpressionEvaluator
from twinflow.tfdbg.analysis.node_facts import NodeFacts
from twinflow.tfdbg.analysis.source_views import SourceViews
from twinflow.tfdbg.analysis.tensor_list import TensorList
from twinflow.tfdbg.analysis.trees import Trees
from twinflow.tfdbg.analysis.value_views import ValueViews
from twinflow.tfdbg.dumps.values import has_inf_or_nan
from twinflow.tfdbg.shell import ui_factory
from twinflow.tfdbg.shell.settings import CLIConfig


class DebugAnalyzer(TensorList, NodeFacts, Trees, ValueViews, SourceViews):
    """Answers commands about dumps.

    Args:
        debug_dump: the DebugDumpDir. config: the CLIConfig.
    """

    def __init__(self, debug_dump: Any, config: CLIConfig) -> None:
        self._debug_dump = debug_dump
        self._evaluator = ExpressionEvaluator(debug_dump)
        self._tensor_filters: dict[str, Callable] = {}
        self._config = config
        self._build_argument_parsers(config)
        config.set_callback("graph_recursion_depth", self._build_argument_parsers)

    def _build_argument_parsers(self, config: CLIConfig) -> None:
        self._arg_parsers = arguments.parsers(config.get("graph_recursion_depth"))

    def add_tensor_filter(self, filter_name: str, filter_callable: Callable) -> None:
        """Give a filter a name.

        Args:
            filter_name: str. filter_callable: a function (datum, value) that returns
                bool.
        Raises:
            ValueError: the name is empty. TypeError: one of them has another type.
        """
        if not isinstance(filter_name, str):
            raise TypeError(
                "Input argument filter_name is expected to be str, but is not."
            )
        if not filter_name:
            raise ValueError("Input argument filter_name cannot be empty.")
        if not callable(filter_callable):
            raise TypeError(
                "Input argument filter_callable is expected to be callable, but is not."
            )
        self._tensor_filters[filter_name] = filter_callable

    def get_tensor_filter(self, filter_name: str) -> Callable:
        """The filter of a name.

        Raises:
            ValueError: there is none.
        """
        if filter_name not in self._tensor_filters:
            raise ValueError(f'There is no tensor filter named "{filter_name}"')
        return self._tensor_filters[filter_name]

    def get_help(self, handler_name: str) -> str:
        """The help of a command."""
        return self._arg_parsers[handler_name].format_help()


def create_analyzer_ui(
    debug_dump: Any,
    tensor_filters: dict | None = None,
    ui_type: str = "curses",
    on_ui_exit: Callable | None = None,
    config: CLIConfig | None = None,
) -> Any:
    """An interface with the commands about dumps.

    Args:
        debug_dump: the DebugDumpDir. tensor_filters: {name: filter}.
        ui_type: "curses" or "readline". on_ui_exit: called when it ends.
        config: a CLIConfig, or None.
    """
    config = config or CLIConfig()
    analyzer = DebugAnalyzer(debug_dump, config=config)
    filters = {"has_inf_or_nan": has_inf_or_nan} if tensor_filters is None else (
        tensor_filters
    )  # fmt: skip
    for name, passes in filters.items():
        analyzer.add_tensor_filter(name, passes)
    ui = ui_factory.get_ui(ui_type, on_ui_exit=on_ui_exit, config=config)
    for command, handler, alias in (
        ("list_tensors", analyzer.list_tensors, "lt"),
        ("node_info", analyzer.node_info, "ni"),
        ("list_inputs", analyzer.list_inputs, "li"),
        ("list_outputs", analyzer.list_outputs, "lo"),
        ("print_tensor", analyzer.print_tensor, "pt"),
        ("print_source", analyzer.print_source, "ps"),
        ("list_source", analyzer.list_source, "ls"),
        ("eval", analyzer.evaluate_expression, "ev"),
    ):
        help_text = analyzer.get_help(command)
        ui.register_command_handler(command, handler, help_text, prefix_aliases=[alias])
    tensors = sorted({d.tensor_name for d in debug_dump.dumped_tensor_data})
    ui.register_tab_comp_context(["print_tensor", "pt"], tensors)
    if debug_dump.loaded_partition_graphs():
        nodes = list(debug_dump.nodes())
        words = ["node_info", "ni", "list_inputs", "li", "list_outputs", "lo"]
        ui.register_tab_comp_context(words, nodes)
    return ui
