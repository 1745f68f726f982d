"""tf.profiler.ProfileOptionBuilder: what a profile shows, and where it goes."""

import copy
from collections.abc import Sequence
from typing import Any

from twinflow.formats.profile_protos import AdvisorOptionsProto, OptionsProto
from twinflow.profiler.op_log import TRAINABLE_VARIABLES

_LISTS = (
    "account_type_regexes", "start_name_regexes", "trim_name_regexes",
    "show_name_regexes", "hide_name_regexes", "select",
)  # fmt: skip
_DEFAULTS = {"max_depth": 10, "step": -1, "order_by": "name", "output": "stdout"}
_SHOWN = {"start_name_regexes": [".*"], "trim_name_regexes": [],
          "show_name_regexes": [".*"], "hide_name_regexes": []}  # fmt: skip
_LEAST = {"min_bytes": 0, "min_micros": 0, "min_params": 0, "min_float_ops": 0}


class ProfileOptionBuilder:
    """Options of tf.profiler.profile, set one after the other.

    Args:
        options: a dict of options to begin with, as the static methods give;
            everything, with times, if not given.
    Example:
        builder = tf.profiler.ProfileOptionBuilder
        options = builder(builder.float_operation()).with_empty_output().build()
        options["output"]  # "none"
    """

    def __init__(self, options: dict[str, Any] | None = None) -> None:
        self._options = copy.deepcopy(options) if options is not None else {
            **_made([".*"], ["micros"], "name"), "max_depth": 100,
            "account_displayed_op_only": False,
        }  # fmt: skip

    @staticmethod
    def trainable_variables_parameter() -> dict[str, Any]:
        """Options that show how many parameters the trainable variables have.

        Example:
            tf.profiler.ProfileOptionBuilder.trainable_variables_parameter()["select"]
        """
        return _made([TRAINABLE_VARIABLES], ["params"], "name")

    @staticmethod
    def float_operation() -> dict[str, Any]:
        """Options that show how many operations on floats the nodes take.

        Example:
            tf.profiler.ProfileOptionBuilder.float_operation()["order_by"]
        """
        return _made([".*"], ["float_ops"], "float_ops", min_float_ops=1)

    @staticmethod
    def time_and_memory(
        min_micros: int = 1, min_bytes: int = 1, min_accelerator_micros: int = 0,
        min_cpu_micros: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0,
        min_output_bytes: int = 0,
    ) -> dict[str, Any]:  # fmt: skip
        """Options that show the times and the memory of nodes that have run.

        Args:
            min_micros, min_accelerator_micros, min_cpu_micros: in microseconds; a node
                with less is not shown. min_bytes, min_peak_bytes, min_residual_bytes,
                min_output_bytes: the same of memory.
        Example:
            tf.profiler.ProfileOptionBuilder.time_and_memory(min_bytes=8)["min_bytes"]
        """
        return _made(
            [".*"], ["micros", "bytes"], "micros", min_micros=min_micros,
            min_bytes=min_bytes, min_accelerator_micros=min_accelerator_micros,
            min_cpu_micros=min_cpu_micros, min_peak_bytes=min_peak_bytes,
            min_residual_bytes=min_residual_bytes, min_output_bytes=min_output_bytes,
        )  # fmt: skip

    def build(self) -> dict[str, Any]:
        """The options, as a dict that is the caller's own."""
        return copy.deepcopy(self._options)

    def _with(self, **options: Any) -> "ProfileOptionBuilder":
        self._options.update(options)
        return self

    def with_max_depth(self, max_depth: int) -> "ProfileOptionBuilder":
        """Show this many levels; of the view "op", this many types."""
        return self._with(max_depth=max_depth)

    def with_min_memory(
        self, min_bytes: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0,
        min_output_bytes: int = 0,
    ) -> "ProfileOptionBuilder":  # fmt: skip
        """Show what took at least this much memory, in bytes."""
        return self._with(
            min_bytes=min_bytes, min_peak_bytes=min_peak_bytes,
            min_residual_bytes=min_residual_bytes, min_output_bytes=min_output_bytes,
        )  # fmt: skip

    def with_min_execution_time(
        self, min_micros: int = 0, min_accelerator_micros: int = 0,
        min_cpu_micros: int = 0,
    ) -> "ProfileOptionBuilder":  # fmt: skip
        """Show what took at least this long, in microseconds."""
        return self._with(
            min_micros=min_micros, min_accelerator_micros=min_accelerator_micros,
            min_cpu_micros=min_cpu_micros,
        )  # fmt: skip

    def with_min_parameters(self, min_params: int) -> "ProfileOptionBuilder":
        """Show what has at least this many parameters."""
        return self._with(min_params=min_params)

    def with_min_occurrence(self, min_occurrence: int) -> "ProfileOptionBuilder":
        """Show the types with this many nodes, or the nodes that ran this often."""
        return self._with(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops: int) -> "ProfileOptionBuilder":
        """Show what takes at least this many operations on floats."""
        return self._with(min_float_ops=min_float_ops)

    def with_accounted_types(
        self, account_type_regexes: Sequence[str]
    ) -> "ProfileOptionBuilder":
        """Count the nodes of which a type, a device or a type of the log matches."""
        return self._with(account_type_regexes=copy.copy(account_type_regexes))

    def with_node_names(
        self, start_name_regexes: Sequence[str] | None = None,
        show_name_regexes: Sequence[str] | None = None,
        hide_name_regexes: Sequence[str] | None = None,
        trim_name_regexes: Sequence[str] | None = None,
    ) -> "ProfileOptionBuilder":  # fmt: skip
        """Choose by name, with regular expressions that match all of it.

        Args:
            start_name_regexes: begin there. show_name_regexes, hide_name_regexes: what
                appears, and what does not. trim_name_regexes: what is below does not.
        """
        given = {
            "start_name_regexes": start_name_regexes,
            "show_name_regexes": show_name_regexes,
            "hide_name_regexes": hide_name_regexes,
            "trim_name_regexes": trim_name_regexes,
        }
        known = {k: copy.copy(v) for k, v in given.items() if v is not None}
        return self._with(**known)

    def account_displayed_op_only(self, is_true: bool) -> "ProfileOptionBuilder":
        """Whether totals are of what is shown only."""
        return self._with(account_displayed_op_only=is_true)

    def with_empty_output(self) -> "ProfileOptionBuilder":
        """Print nothing."""
        return self._with(output="none")

    def with_stdout_output(self) -> "ProfileOptionBuilder":
        """Print to the standard output."""
        return self._with(output="stdout")

    def with_file_output(self, outfile: str) -> "ProfileOptionBuilder":
        """Write the report to a file."""
        return self._with(output=f"file:outfile={outfile}")

    def with_timeline_output(self, timeline_file: str) -> "ProfileOptionBuilder":
        """Write a file for chrome://tracing; `_<step>` is added to its name."""
        return self._with(output=f"timeline:outfile={timeline_file}")

    def with_pprof_output(self, pprof_file: str) -> "ProfileOptionBuilder":
        """Write a file for pprof, of the view "code"; its name ends in `.pb.gz`."""
        return self._with(output=f"pprof:outfile={pprof_file}")

    def order_by(self, attribute: str) -> "ProfileOptionBuilder":
        """Sort by what can be selected, the most first, or by "name"."""
        return self._with(order_by=attribute)

    def select(self, attributes: Sequence[str]) -> "ProfileOptionBuilder":
        """Show these: "micros", "accelerator_micros", "cpu_micros", "bytes",
        "peak_bytes", "residual_bytes", "output_bytes", "params", "float_ops",
        "occurrence", "device", "op_types" and "input_shapes".
        """
        return self._with(select=copy.copy(attributes))

    def with_step(self, step: int) -> "ProfileOptionBuilder":
        """Show a step of Profiler.add_step; -1 is the mean of all of them."""
        return self._with(step=step)


def _made(
    types: list[str], select: list[str], order: str, **others: Any
) -> dict[str, Any]:  # fmt: skip
    return {
        "max_depth": 10000, **_LEAST, "min_occurrence": 0, "order_by": order,
        "account_type_regexes": types, **copy.deepcopy(_SHOWN),
        "account_displayed_op_only": True, "select": select, "step": -1,
        "output": "stdout", **others,
    }  # fmt: skip


def options_proto(options: dict[str, Any]) -> Any:
    """The OptionsProto of a dict of options.

    Raises:
        TypeError: it is no dict, or an option has a value of another kind.
    """
    if isinstance(options, ProfileOptionBuilder):
        raise TypeError(
            "options is a ProfileOptionBuilder, but a dict is expected: "
            "`.build()` at its end gives one."
        )
    if not isinstance(options, dict):
        raise TypeError(
            f"options is {options!r}, but a dict is expected, as "
            "tf.profiler.ProfileOptionBuilder makes them."
        )
    found = OptionsProto(**_DEFAULTS)
    for field in OptionsProto.DESCRIPTOR.fields:
        if field.name in options:
            _set_option(found, field.name, options[field.name])
    return found


def _set_option(found: Any, name: str, value: Any) -> None:
    try:
        if name not in _LISTS:
            setattr(found, name, value)
        elif isinstance(value, str):
            raise TypeError("a str")
        else:
            getattr(found, name).extend(value)
    except (TypeError, ValueError):
        default = getattr(OptionsProto(), name)
        kind = "list of str" if name in _LISTS else type(default).__name__
        raise TypeError(
            f"The option {name!r} takes a {kind}, but got {value!r}."
        ) from None


def advisor_options(options: dict[str, dict] | None) -> Any:
    """The AdvisorOptionsProto of {checker: options}."""
    found = AdvisorOptionsProto()
    for checker, given in (options or {}).items():
        found.checkers[checker].options.update(given)
    return found
