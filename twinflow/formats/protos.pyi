# Made by `make stubs` from the descriptors of the messages.
from typing import Any
from twinflow.formats.messages import Message

def __getattr__(name: str) -> Any: ...

class AttrValue(Message):
    list: Any
    s: bytes
    i: int
    f: float
    b: bool
    type: int
    shape: Any
    tensor: Any
    placeholder: str
    func: NameAttrList
    ListValue: Any
    def __init__(self, *, list: Any | None = ..., s: bytes | None = ..., i: int | None = ..., f: float | None = ..., b: bool | None = ..., type: int | None = ..., shape: Any | None = ..., tensor: Any | None = ..., placeholder: str | None = ..., func: NameAttrList | dict[str, Any] | None = ...) -> None: ...

class BytesList(Message):
    value: Any
    def __init__(self, *, value: Any | None = ...) -> None: ...

class CheckpointableObjectGraph(Message):
    nodes: Any
    CheckpointableObject: Any
    def __init__(self, *, nodes: Any | None = ...) -> None: ...

class ClusterDef(Message):
    job: Any
    def __init__(self, *, job: Any | None = ...) -> None: ...

class ConfigProto(Message):
    device_count: Any
    intra_op_parallelism_threads: int
    placement_period: int
    device_filters: Any
    inter_op_parallelism_threads: int
    gpu_options: GPUOptions
    allow_soft_placement: bool
    log_device_placement: bool
    use_per_session_threads: bool
    graph_options: GraphOptions
    operation_timeout_in_ms: int
    session_inter_op_thread_pool: Any
    rpc_options: Any
    cluster_def: ClusterDef
    isolate_session_state: bool
    experimental: Any
    Experimental: Any
    DeviceCountEntry: Any
    def __init__(self, *, device_count: Any | None = ..., intra_op_parallelism_threads: int | None = ..., placement_period: int | None = ..., device_filters: Any | None = ..., inter_op_parallelism_threads: int | None = ..., gpu_options: GPUOptions | dict[str, Any] | None = ..., allow_soft_placement: bool | None = ..., log_device_placement: bool | None = ..., use_per_session_threads: bool | None = ..., graph_options: GraphOptions | dict[str, Any] | None = ..., operation_timeout_in_ms: int | None = ..., session_inter_op_thread_pool: Any | None = ..., rpc_options: Any | None = ..., cluster_def: ClusterDef | dict[str, Any] | None = ..., isolate_session_state: bool | None = ..., experimental: Any | None = ...) -> None: ...

class EmbeddingInfo(Message):
    tensor_name: str
    metadata_path: str
    bookmarks_path: str
    tensor_shape: Any
    sprite: SpriteMetadata
    tensor_path: str
    def __init__(self, *, tensor_name: str | None = ..., metadata_path: str | None = ..., bookmarks_path: str | None = ..., tensor_shape: Any | None = ..., sprite: SpriteMetadata | dict[str, Any] | None = ..., tensor_path: str | None = ...) -> None: ...

class Event(Message):
    wall_time: float
    step: int
    file_version: str
    graph_def: bytes
    summary: Summary
    log_message: LogMessage
    session_log: SessionLog
    tagged_run_metadata: TaggedRunMetadata
    meta_graph_def: bytes
    def __init__(self, *, wall_time: float | None = ..., step: int | None = ..., file_version: str | None = ..., graph_def: bytes | None = ..., summary: Summary | dict[str, Any] | None = ..., log_message: LogMessage | dict[str, Any] | None = ..., session_log: SessionLog | dict[str, Any] | None = ..., tagged_run_metadata: TaggedRunMetadata | dict[str, Any] | None = ..., meta_graph_def: bytes | None = ...) -> None: ...

class Example(Message):
    features: Features
    def __init__(self, *, features: Features | dict[str, Any] | None = ...) -> None: ...

class Feature(Message):
    bytes_list: BytesList
    float_list: FloatList
    int64_list: Int64List
    def __init__(self, *, bytes_list: BytesList | dict[str, Any] | None = ..., float_list: FloatList | dict[str, Any] | None = ..., int64_list: Int64List | dict[str, Any] | None = ...) -> None: ...

class FeatureList(Message):
    feature: Any
    def __init__(self, *, feature: Any | None = ...) -> None: ...

class FeatureLists(Message):
    feature_list: Any
    FeatureListEntry: Any
    def __init__(self, *, feature_list: Any | None = ...) -> None: ...

class Features(Message):
    feature: Any
    FeatureEntry: Any
    def __init__(self, *, feature: Any | None = ...) -> None: ...

class FloatList(Message):
    value: Any
    def __init__(self, *, value: Any | None = ...) -> None: ...

class GPUOptions(Message):
    per_process_gpu_memory_fraction: float
    allocator_type: str
    deferred_deletion_bytes: int
    allow_growth: bool
    visible_device_list: str
    polling_active_delay_usecs: int
    polling_inactive_delay_msecs: int
    force_gpu_compatible: bool
    experimental: Any
    Experimental: Any
    def __init__(self, *, per_process_gpu_memory_fraction: float | None = ..., allocator_type: str | None = ..., deferred_deletion_bytes: int | None = ..., allow_growth: bool | None = ..., visible_device_list: str | None = ..., polling_active_delay_usecs: int | None = ..., polling_inactive_delay_msecs: int | None = ..., force_gpu_compatible: bool | None = ..., experimental: Any | None = ...) -> None: ...

class GraphDef(Message):
    node: Any
    library: Any
    version: int
    versions: Any
    def __init__(self, *, node: Any | None = ..., library: Any | None = ..., version: int | None = ..., versions: Any | None = ...) -> None: ...

class GraphOptions(Message):
    enable_recv_scheduling: bool
    optimizer_options: OptimizerOptions
    build_cost_model: int
    infer_shapes: bool
    place_pruned_graph: bool
    enable_bfloat16_sendrecv: bool
    timeline_step: int
    build_cost_model_after: int
    rewrite_options: Any
    def __init__(self, *, enable_recv_scheduling: bool | None = ..., optimizer_options: OptimizerOptions | dict[str, Any] | None = ..., build_cost_model: int | None = ..., infer_shapes: bool | None = ..., place_pruned_graph: bool | None = ..., enable_bfloat16_sendrecv: bool | None = ..., timeline_step: int | None = ..., build_cost_model_after: int | None = ..., rewrite_options: Any | None = ...) -> None: ...

class HistogramProto(Message):
    min: float
    max: float
    num: float
    sum: float
    sum_squares: float
    bucket_limit: Any
    bucket: Any
    def __init__(self, *, min: float | None = ..., max: float | None = ..., num: float | None = ..., sum: float | None = ..., sum_squares: float | None = ..., bucket_limit: Any | None = ..., bucket: Any | None = ...) -> None: ...

class Int64List(Message):
    value: Any
    def __init__(self, *, value: Any | None = ...) -> None: ...

class JobDef(Message):
    name: str
    tasks: Any
    TasksEntry: Any
    def __init__(self, *, name: str | None = ..., tasks: Any | None = ...) -> None: ...

class LogMessage(Message):
    level: int
    message: str
    UNKNOWN: int
    DEBUGGING: int
    INFO: int
    WARN: int
    ERROR: int
    FATAL: int
    def __init__(self, *, level: int | None = ..., message: str | None = ...) -> None: ...

class MetaGraphDef(Message):
    meta_info_def: Any
    graph_def: GraphDef
    saver_def: SaverDef
    collection_def: Any
    signature_def: Any
    asset_file_def: Any
    MetaInfoDef: Any
    CollectionDefEntry: Any
    SignatureDefEntry: Any
    def __init__(self, *, meta_info_def: Any | None = ..., graph_def: GraphDef | dict[str, Any] | None = ..., saver_def: SaverDef | dict[str, Any] | None = ..., collection_def: Any | None = ..., signature_def: Any | None = ..., asset_file_def: Any | None = ...) -> None: ...

class NameAttrList(Message):
    name: str
    attr: Any
    AttrEntry: Any
    def __init__(self, *, name: str | None = ..., attr: Any | None = ...) -> None: ...

class NodeDef(Message):
    name: str
    op: str
    input: Any
    device: str
    attr: Any
    AttrEntry: Any
    def __init__(self, *, name: str | None = ..., op: str | None = ..., input: Any | None = ..., device: str | None = ..., attr: Any | None = ...) -> None: ...

class OptimizerOptions(Message):
    do_common_subexpression_elimination: bool
    do_constant_folding: bool
    opt_level: int
    do_function_inlining: bool
    global_jit_level: int
    max_folded_constant_in_bytes: int
    DEFAULT: int
    OFF: int
    ON_1: int
    ON_2: int
    L1: int
    L0: int
    def __init__(self, *, do_common_subexpression_elimination: bool | None = ..., do_constant_folding: bool | None = ..., opt_level: int | None = ..., do_function_inlining: bool | None = ..., global_jit_level: int | None = ..., max_folded_constant_in_bytes: int | None = ...) -> None: ...

class ProjectorConfig(Message):
    model_checkpoint_path: str
    embeddings: Any
    model_checkpoint_dir: str
    def __init__(self, *, model_checkpoint_path: str | None = ..., embeddings: Any | None = ..., model_checkpoint_dir: str | None = ...) -> None: ...

class QueueRunnerDef(Message):
    queue_name: str
    enqueue_op_name: Any
    close_op_name: str
    cancel_op_name: str
    queue_closed_exception_types: Any
    def __init__(self, *, queue_name: str | None = ..., enqueue_op_name: Any | None = ..., close_op_name: str | None = ..., cancel_op_name: str | None = ..., queue_closed_exception_types: Any | None = ...) -> None: ...

class RunMetadata(Message):
    step_stats: Any
    cost_graph: Any
    partition_graphs: Any
    def __init__(self, *, step_stats: Any | None = ..., cost_graph: Any | None = ..., partition_graphs: Any | None = ...) -> None: ...

class RunOptions(Message):
    trace_level: int
    timeout_in_ms: int
    inter_op_thread_pool: int
    output_partition_graphs: bool
    debug_options: Any
    report_tensor_allocations_upon_oom: bool
    experimental: Any
    NO_TRACE: int
    SOFTWARE_TRACE: int
    HARDWARE_TRACE: int
    FULL_TRACE: int
    Experimental: Any
    def __init__(self, *, trace_level: int | None = ..., timeout_in_ms: int | None = ..., inter_op_thread_pool: int | None = ..., output_partition_graphs: bool | None = ..., debug_options: Any | None = ..., report_tensor_allocations_upon_oom: bool | None = ..., experimental: Any | None = ...) -> None: ...

class SaverDef(Message):
    filename_tensor_name: str
    save_tensor_name: str
    restore_op_name: str
    max_to_keep: int
    sharded: bool
    keep_checkpoint_every_n_hours: float
    version: int
    LEGACY: int
    V1: int
    V2: int
    def __init__(self, *, filename_tensor_name: str | None = ..., save_tensor_name: str | None = ..., restore_op_name: str | None = ..., max_to_keep: int | None = ..., sharded: bool | None = ..., keep_checkpoint_every_n_hours: float | None = ..., version: int | None = ...) -> None: ...

class SequenceExample(Message):
    context: Features
    feature_lists: FeatureLists
    def __init__(self, *, context: Features | dict[str, Any] | None = ..., feature_lists: FeatureLists | dict[str, Any] | None = ...) -> None: ...

class ServerDef(Message):
    cluster: ClusterDef
    job_name: str
    task_index: int
    default_session_config: ConfigProto
    protocol: str
    def __init__(self, *, cluster: ClusterDef | dict[str, Any] | None = ..., job_name: str | None = ..., task_index: int | None = ..., default_session_config: ConfigProto | dict[str, Any] | None = ..., protocol: str | None = ...) -> None: ...

class SessionLog(Message):
    status: int
    checkpoint_path: str
    msg: str
    STATUS_UNSPECIFIED: int
    START: int
    STOP: int
    CHECKPOINT: int
    def __init__(self, *, status: int | None = ..., checkpoint_path: str | None = ..., msg: str | None = ...) -> None: ...

class SpriteMetadata(Message):
    image_path: str
    single_image_dim: Any
    def __init__(self, *, image_path: str | None = ..., single_image_dim: Any | None = ...) -> None: ...

class Summary(Message):
    value: Any
    Audio: Any
    Image: Any
    Value: Any
    def __init__(self, *, value: Any | None = ...) -> None: ...

class SummaryDescription(Message):
    type_hint: str
    def __init__(self, *, type_hint: str | None = ...) -> None: ...

class SummaryMetadata(Message):
    plugin_data: Any
    display_name: str
    summary_description: str
    PluginData: Any
    def __init__(self, *, plugin_data: Any | None = ..., display_name: str | None = ..., summary_description: str | None = ...) -> None: ...

class TaggedRunMetadata(Message):
    tag: str
    run_metadata: bytes
    def __init__(self, *, tag: str | None = ..., run_metadata: bytes | None = ...) -> None: ...

class TensorInfo(Message):
    name: str
    dtype: int
    tensor_shape: Any
    coo_sparse: Any
    CooSparse: Any
    def __init__(self, *, name: str | None = ..., dtype: int | None = ..., tensor_shape: Any | None = ..., coo_sparse: Any | None = ...) -> None: ...
