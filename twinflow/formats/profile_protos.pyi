# Made by `make stubs` from the descriptors of the messages.
from typing import Any
from twinflow.formats.messages import Message

def __getattr__(name: str) -> Any: ...

class AdviceProto(Message):
    checkers: Any
    Checker: Any
    CheckersEntry: Any
    def __init__(self, *, checkers: Any | None = ...) -> None: ...

class GraphNodeProto(Message):
    name: str
    exec_micros: int
    requested_bytes: int
    parameters: int
    total_exec_micros: int
    total_requested_bytes: int
    total_parameters: int
    devices: Any
    shapes: Any
    children: Any
    float_ops: int
    total_float_ops: int
    tensor_value: Any
    input_shapes: Any
    accelerator_exec_micros: int
    cpu_exec_micros: int
    total_accelerator_exec_micros: int
    total_cpu_exec_micros: int
    run_count: int
    total_run_count: int
    total_definition_count: int
    peak_bytes: int
    residual_bytes: int
    output_bytes: int
    total_peak_bytes: int
    total_residual_bytes: int
    total_output_bytes: int
    InputShapesEntry: Any
    def __init__(self, *, name: str | None = ..., exec_micros: int | None = ..., requested_bytes: int | None = ..., parameters: int | None = ..., total_exec_micros: int | None = ..., total_requested_bytes: int | None = ..., total_parameters: int | None = ..., devices: Any | None = ..., shapes: Any | None = ..., children: Any | None = ..., float_ops: int | None = ..., total_float_ops: int | None = ..., tensor_value: Any | None = ..., input_shapes: Any | None = ..., accelerator_exec_micros: int | None = ..., cpu_exec_micros: int | None = ..., total_accelerator_exec_micros: int | None = ..., total_cpu_exec_micros: int | None = ..., run_count: int | None = ..., total_run_count: int | None = ..., total_definition_count: int | None = ..., peak_bytes: int | None = ..., residual_bytes: int | None = ..., output_bytes: int | None = ..., total_peak_bytes: int | None = ..., total_residual_bytes: int | None = ..., total_output_bytes: int | None = ...) -> None: ...

class MultiGraphNodeProto(Message):
    name: str
    exec_micros: int
    requested_bytes: int
    parameters: int
    float_ops: int
    total_exec_micros: int
    total_requested_bytes: int
    total_parameters: int
    total_float_ops: int
    graph_nodes: Any
    children: Any
    accelerator_exec_micros: int
    cpu_exec_micros: int
    total_accelerator_exec_micros: int
    total_cpu_exec_micros: int
    peak_bytes: int
    residual_bytes: int
    output_bytes: int
    total_peak_bytes: int
    total_residual_bytes: int
    total_output_bytes: int
    def __init__(self, *, name: str | None = ..., exec_micros: int | None = ..., requested_bytes: int | None = ..., parameters: int | None = ..., float_ops: int | None = ..., total_exec_micros: int | None = ..., total_requested_bytes: int | None = ..., total_parameters: int | None = ..., total_float_ops: int | None = ..., graph_nodes: Any | None = ..., children: Any | None = ..., accelerator_exec_micros: int | None = ..., cpu_exec_micros: int | None = ..., total_accelerator_exec_micros: int | None = ..., total_cpu_exec_micros: int | None = ..., peak_bytes: int | None = ..., residual_bytes: int | None = ..., output_bytes: int | None = ..., total_peak_bytes: int | None = ..., total_residual_bytes: int | None = ..., total_output_bytes: int | None = ...) -> None: ...

class OpLogProto(Message):
    log_entries: Any
    id_to_string: Any
    IdToStringEntry: Any
    def __init__(self, *, log_entries: Any | None = ..., id_to_string: Any | None = ...) -> None: ...
