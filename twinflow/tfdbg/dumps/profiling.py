"""Times of nodes, by line and summed up."""

from typing import Any


class ProfileDatum:
    """One execution of a node.

    Args:
        device_name: str. node_exec_stats: a NodeExecStats.
        file_path, line_number, func_name: the line that made the node.
        op_type: str.
    """

    def __init__(
        self, device_name: str, node_exec_stats: Any, file_path: str,
        line_number: int, func_name: str, op_type: str,
    ) -> None:  # fmt: skip
        self.device_name = device_name
        self.node_exec_stats = node_exec_stats
        self.file_path = file_path
        self.line_number = line_number
        self.func_name = func_name
        self.op_type = op_type
        self.file_line_func = f"{file_path}:{line_number}({func_name})"
        self.start_time = node_exec_stats.all_start_micros
        self.op_time = (
            node_exec_stats.op_end_rel_micros - node_exec_stats.op_start_rel_micros
        )

    @property
    def exec_time(self) -> int:
        """Microseconds, with what is before and after the op itself."""
        return self.node_exec_stats.all_end_rel_micros


class AggregateProfile:
    """The sum of several ProfileDatum.

    Args:
        profile_datum: the first one.
    """

    def __init__(self, profile_datum: ProfileDatum) -> None:
        self.total_op_time = self.total_exec_time = 0
        self._counts: dict[str, int] = {}  # {device and node: executions}
        self.add(profile_datum)

    def add(self, profile_datum: ProfileDatum) -> None:
        self.total_op_time += profile_datum.op_time
        self.total_exec_time += profile_datum.exec_time
        name = profile_datum.node_exec_stats.node_name
        key = f"{profile_datum.device_name}:{name}"
        self._counts[key] = self._counts.get(key, 0) + 1

    @property
    def node_count(self) -> int:
        return len(self._counts)

    @property
    def node_exec_count(self) -> int:
        return sum(self._counts.values())
