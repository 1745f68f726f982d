"""A session that stops before and after its runs, and lets a person look."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from twinflow.tfdbg.analysis import analyzer
from twinflow.tfdbg.analysis.profile import create_profiler_ui
from twinflow.tfdbg.dumps.dump_dir import DebugDumpDir
from twinflow.tfdbg.dumps.run_keys import get_graph_element_name
from twinflow.tfdbg.dumps.values import has_inf_or_nan
from twinflow.tfdbg.sessions import run_arguments
from twinflow.tfdbg.sessions.dumping import check_free
from twinflow.tfdbg.sessions.requests import (
    OnRunEndRequest,
    OnRunEndResponse,
    OnRunStartAction,
    OnRunStartRequest,
    OnRunStartResponse,
    OnSessionInitAction,
    OnSessionInitRequest,
    OnSessionInitResponse,
)
from twinflow.tfdbg.sessions.wrapped import BaseDebugWrapperSession
from twinflow.tfdbg.shell import parsing, ui_factory
from twinflow.tfdbg.shell.registry import EXPLICIT_USER_EXIT, CommandLineExit
from twinflow.tfdbg.text import readable, run_intros
from twinflow.tfdbg.text.rich_text import RichTextLines

_DUMP_ROOT_PREFIX = "tfdbg_"


class LocalCLIDebugWrapperSession(BaseDebugWrapperSession):
    """Stops before each run for commands, and after it for a look at its dumps.

    Args:
        sess: the session. dump_root: where the dumps of a run are, for as long as they
            are looked at; None for a folder of its own.
        log_usage: without effect: nothing is logged.
        ui_type: "curses" or "readline".
        thread_name_filter: expression for the threads whose runs stop.
    Raises:
        ValueError: `dump_root` is a file, or has files.
    """

    def __init__(
        self, sess: Any, dump_root: str | None = None, log_usage: bool = True,
        ui_type: str = "curses", thread_name_filter: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(sess, thread_name_filter=thread_name_filter)
        if dump_root:
            dump_root = os.path.expanduser(dump_root)
            check_free(dump_root, "dump_root")
        self._dump_root = dump_root or tempfile.mktemp(prefix=_DUMP_ROOT_PREFIX)
        self._ui_type = ui_type
        self._tensor_filters: dict[str, Callable] = {}
        self.add_tensor_filter("has_inf_or_nan", has_inf_or_nan)
        self._argparsers = run_arguments.parsers()
        self._run_through_times = 1
        self._skip_debug = False
        self._is_run_start = True
        self._init_command: str | None = None
        self._title: str | None = None
        self._title_color: str | None = None
        self._feed_dict: Any = None
        self._active_tensor_filter: str | None = None
        self._active_filter_exclude: str | None = None
        self._active_response: OnRunStartResponse | None = None
        self._run_cli: Any = None
        self._run_info: RichTextLines | None = None
        self._run_description = ""

    def _is_disk_usage_reset_each_run(self) -> bool:
        return True  # the dumps are removed after each run

    def add_tensor_filter(self, filter_name: str, tensor_filter: Callable) -> None:
        """Give a filter for `run -f` and `lt -f` a name.

        Args:
            filter_name: str.
            tensor_filter: a function (datum, value) that returns bool.
        """
        self._tensor_filters[filter_name] = tensor_filter

    # ------------------------------------------------------------------ before a run
    def on_session_init(self, request: OnSessionInitRequest) -> OnSessionInitResponse:
        return OnSessionInitResponse(OnSessionInitAction.PROCEED)

    def on_run_start(self, request: OnRunStartRequest) -> OnRunStartResponse:
        """Ask a person how to make the run, unless he said so before."""
        self._is_run_start = True
        self._note_call(request)
        if self._active_tensor_filter and self._active_response:
            return self._active_response  # until the filter passes
        self._exit_if_requested_by_user()
        if self._run_through_times > 1:
            self._run_through_times -= 1
            return OnRunStartResponse(OnRunStartAction.NON_DEBUG_RUN, [])
        if self._run_through_times == 1 and self._active_response is not None:
            response, self._active_response = self._active_response, None
            return response
        self._prep_cli_for_run_start()
        answer = self._launch_cli()
        return answer if answer is not None else self.on_run_start(request)

    def _exit_if_requested_by_user(self) -> None:
        if self._run_cli is not None and self._exit_token == EXPLICIT_USER_EXIT:
            print("Note: user exited from debugger CLI: Calling sys.exit(1).",
                  file=sys.stderr)  # fmt: skip
            sys.exit(1)

    _exit_token: Any = None

    def _note_call(self, request: OnRunStartRequest) -> None:
        """Keep what is shown of a run."""
        call = (request.run_call_count, request.fetches, request.feed_dict)
        self._feed_dict = request.feed_dict
        self._run_info = run_intros.get_run_start_intro(
            *call, self._tensor_filters, is_callable_runner=request.is_callable_runner
        )
        self._run_description = run_intros.get_run_short_description(
            *call, is_callable_runner=request.is_callable_runner
        )

    def _prep_cli_for_run_start(self) -> None:
        self._run_cli = ui_factory.get_ui(self._ui_type)
        help_intro = RichTextLines([])
        if self._run_call_count == 1:
            help_intro.extend(readable.get_tfdbg_logo())
            help_intro.extend(_version_and_upcoming(self._run_description))
        if self._run_info is not None:
            help_intro.extend(self._run_info)
            help_intro.annotations.update(self._run_info.annotations)
        self._run_cli.set_help_intro(help_intro)
        self._run_start_intro = help_intro
        self._init_command = "run_info"
        self._title = f"run-start: {self._run_description}"
        self._title_color = "blue_on_white"

    def _launch_cli(self) -> OnRunStartResponse | None:
        """Let a person give commands; how to go on."""
        self._register_this_run_info(self._run_cli)
        token = self._run_cli.run_ui(
            init_command=self._init_command, title=self._title,
            title_color=self._title_color,
        )  # fmt: skip
        self._exit_token = token
        self._exit_if_requested_by_user()
        return token if isinstance(token, OnRunStartResponse) else None

    def _register_this_run_info(self, cli: Any) -> None:
        """Register the commands that go on with a run."""
        for command, handler, aliases in (
            ("run", self._run_handler, ["r"]),
            ("invoke_stepper", self._on_run_start_step_handler, ["s"]),
            ("run_info", self._run_info_handler, ["ri"]),
            ("print_feed", self._print_feed_handler, ["pf"]),
        ):
            help_text = self._argparsers[command].format_help()
            cli.register_command_handler(
                command, handler, help_text, prefix_aliases=aliases
            )
        if self._tensor_filters:
            filters = list(self._tensor_filters)
            cli.register_tab_comp_context(["run", "r"], filters)
        feeds = [get_graph_element_name(key) for key in self._feed_dict or ()]
        cli.register_tab_comp_context(["print_feed", "pf"], feeds)

    # ------------------------------------------------------------------ commands
    def _run_info_handler(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        whole = RichTextLines([])
        if self._run_call_count == 1:
            whole.extend(readable.get_tfdbg_logo())
            whole.extend(_version_and_upcoming(self._run_description))
        if self._run_info is not None:
            whole.extend(self._run_info)
        if not self._is_run_start:
            menu = whole.annotations.get("mm:")
            if menu is not None:
                menu.caption_to_item("run").enable()
        return whole

    def _print_feed_handler(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines:
        if not self._feed_dict:
            return readable.error("The feed_dict of the current run is None or empty.")
        parsed = self._argparsers["print_feed"].parse_args(args)
        options = readable.numpy_printoptions_from_screen_info(screen_info)
        name, slicing = parsing.parse_tensor_name_with_slicing(parsed.tensor_name)
        for key, value in self._feed_dict.items():
            if get_graph_element_name(key) == name:
                return readable.format_tensor(
                    value, name + " (feed)", options, print_all=parsed.print_all,
                    tensor_slicing=slicing,
                    highlight_options=readable.parse_ranges_highlight(parsed.ranges),
                    include_numeric_summary=parsed.numeric_summary,
                )  # fmt: skip
        return readable.error(
            f"The feed_dict of the current run does not contain the key {name}"
        )

    def _run_handler(
        self, args: list[str], screen_info: dict | None = None
    ) -> RichTextLines | None:
        """Answer `run`: end the interface, and go on as it says."""
        parsed = self._argparsers["run"].parse_args(args)
        if parsed.filter_exclude_node_names and not parsed.till_filter_pass:
            raise ValueError(
                "The --filter_exclude_node_names (or -feon) flag is valid only if the "
                "--till_filter_pass (or -f) flag is used."
            )
        wanted = parsed.till_filter_pass
        if wanted and wanted not in self._tensor_filters:
            return RichTextLines([
                f'ERROR: tensor filter "{wanted}" does not exist.'
            ])  # fmt: skip
        self._run_through_times = parsed.times
        if parsed.profile:
            action = OnRunStartAction.PROFILE_RUN
        elif parsed.no_debug:
            action = OnRunStartAction.NON_DEBUG_RUN
        else:
            action = OnRunStartAction.DEBUG_RUN
        self._active_tensor_filter = wanted or None
        self._active_filter_exclude = parsed.filter_exclude_node_names or None
        response = OnRunStartResponse(
            action,
            self._get_run_debug_urls() if action == OnRunStartAction.DEBUG_RUN else [],
            node_name_regex_whitelist=parsed.node_name_filter or None,
            op_type_regex_whitelist=parsed.op_type_filter or None,
            tensor_dtype_regex_whitelist=parsed.tensor_dtype_filter or None,
        )
        if wanted:
            self._active_response = response
        elif parsed.times > 1:
            self._active_response = response
            response = OnRunStartResponse(OnRunStartAction.NON_DEBUG_RUN, [])
            self._run_through_times = parsed.times - 1
        raise CommandLineExit(exit_token=response)

    def _on_run_start_step_handler(
        self, args: list[str], screen_info: dict | None = None
    ) -> None:
        raise CommandLineExit(
            exit_token=OnRunStartResponse(OnRunStartAction.INVOKE_STEPPER, [])
        )

    def _get_run_debug_urls(self) -> list[str]:
        return ["file://" + self._dump_root]

    # ------------------------------------------------------------------ after a run
    def on_run_end(self, request: OnRunEndRequest) -> OnRunEndResponse:
        """Let a person look at the dumps, or at the times, of a run."""
        self._is_run_start = False
        if request.performed_action == OnRunStartAction.DEBUG_RUN:
            self._look_at_dumps(request)
        elif request.performed_action == OnRunStartAction.PROFILE_RUN:
            self._prep_profile_cli_for_run_end(self.graph, request.run_metadata)
            self._launch_end()
        return OnRunEndResponse()

    def _look_at_dumps(self, request: OnRunEndRequest) -> None:
        graphs = getattr(request.run_metadata, "partition_graphs", None)
        if request.tf_error and not os.path.isdir(self._dump_root):
            raise request.tf_error  # it failed before anything was dumped
        os.makedirs(self._dump_root, exist_ok=True)
        dump = DebugDumpDir(
            self._dump_root, partition_graphs=graphs,
            validate=request.tf_error is None,
        )  # fmt: skip
        dump.set_python_graph(self.graph)
        passed, exclude = None, None
        if self._active_tensor_filter and not request.tf_error:
            name = self._active_tensor_filter
            exclude = self._active_filter_exclude
            found = dump.find(
                self._tensor_filters[name], first_n=1, exclude_node_names=exclude
            )
            if not found:
                self._remove_dump_root()
                return
            passed = name
        self._active_tensor_filter = self._active_filter_exclude = None
        self._active_response = None
        self._prep_debug_cli_for_run_end(dump, request.tf_error, passed, exclude)
        self._launch_end()
        self._remove_dump_root()
        if request.tf_error:
            raise request.tf_error

    def _launch_end(self) -> None:
        """Let a person look; `run` says how the next run is made."""
        response = self._launch_cli()
        if response is None:
            return
        if self._active_tensor_filter is None:
            if response.action == OnRunStartAction.NON_DEBUG_RUN and (
                self._active_response is not None
            ):
                self._run_through_times += 1  # the next run is the first of them
            else:
                self._active_response = response
                self._run_through_times = 1

    def _remove_dump_root(self) -> None:
        if os.path.isdir(self._dump_root):
            shutil.rmtree(self._dump_root)

    def _prep_debug_cli_for_run_end(
        self, debug_dump: DebugDumpDir, tf_error: Any, passed_filter: str | None,
        passed_filter_exclude_node_names: str | None,
    ) -> None:  # fmt: skip
        help_intro = None
        if tf_error:
            help_intro = run_intros.get_error_intro(tf_error)
            self._init_command, self._title_color = "help", "red_on_white"
        else:
            self._init_command, self._title_color = "lt", "black_on_white"
            if passed_filter:
                self._init_command = f"lt -f {passed_filter}"
                if passed_filter_exclude_node_names:
                    self._init_command += (
                        f" --filter_exclude_node_names "
                        f"{passed_filter_exclude_node_names}"
                    )
                self._title_color = "red_on_white"
        self._run_cli = analyzer.create_analyzer_ui(
            debug_dump, self._tensor_filters, ui_type=self._ui_type
        )
        names = [f"{d.node_name}:{d.output_slot}"
                 for d in debug_dump.dumped_tensor_data]  # fmt: skip
        self._run_cli.register_tab_comp_context(
            ["print_tensor", "pt"], sorted(set(names))
        )
        if help_intro:
            self._run_cli.set_help_intro(help_intro)
        self._title = f"run-end: {self._run_description}"

    def _prep_profile_cli_for_run_end(self, py_graph: Any, run_metadata: Any) -> None:
        self._init_command = "lp"
        self._run_cli = create_profiler_ui(
            py_graph, run_metadata, ui_type=self._ui_type
        )
        self._title = f"run-end (profiler mode): {self._run_description}"
        self._title_color = "black_on_white"

    def invoke_node_stepper(
        self, node_stepper: Any, restore_variable_values_on_exit: bool = True
    ) -> Any:
        """Evaluate the nodes one after the other, and say what they gave."""
        for name in node_stepper.sorted_nodes():
            for slot in node_stepper.output_slots_in_closure(name):
                tensor = f"{name}:{slot}"
                print(f"{tensor} = {node_stepper.cont(tensor)!r}")
        return node_stepper.finalize()


def _version_and_upcoming(description: str) -> RichTextLines:
    return RichTextLines(["Upcoming run:", f"  {description}", ""])
