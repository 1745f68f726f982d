"""The names of dumps: of files, devices, tensors and watches.

A dump is DEVICE/SCOPE/NODE_SLOT_DEBUGOP_TIMESTAMP below the dump root, in microseconds
since 1970. What it is of has a watch key: NODE:SLOT:DEBUGOP.
"""

METADATA_FILE_PREFIX = "_tfdbg_"
CORE_METADATA_TAG = "core_metadata_"
GRAPH_FILE_TAG = "graph_"
DEVICE_TAG = "device_"
HASH_TAG = "hash"
FETCHES_INFO_FILE_TAG = "fetches_info_"
FEED_KEYS_INFO_FILE_TAG = "feed_keys_info_"

COPY_PREFIX = "__copy_"
DEBUG_PREFIX = "__dbg_"


def is_graph_file(file_name: str) -> bool:
    return file_name.startswith(METADATA_FILE_PREFIX + GRAPH_FILE_TAG)


def is_run_fetches_info_file(file_name: str) -> bool:
    return file_name.startswith(METADATA_FILE_PREFIX + FETCHES_INFO_FILE_TAG)


def is_run_feed_keys_info_file(file_name: str) -> bool:
    return file_name.startswith(METADATA_FILE_PREFIX + FEED_KEYS_INFO_FILE_TAG)


def tensor_name(node_name: str, output_slot: int) -> str:
    return f"{node_name}:{output_slot}"


def watch_key(node_name: str, output_slot: int, debug_op: str) -> str:
    return f"{tensor_name(node_name, output_slot)}:{debug_op}"


def device_name_to_device_path(device_name: str) -> str:
    """The folder of a device's dumps."""
    path = ",".join(device_name.replace(":", "_").split("/"))
    return METADATA_FILE_PREFIX + DEVICE_TAG + path


def device_path_to_device_name(device_dir: str) -> str:
    """The device whose dumps are in a folder."""
    path = device_dir.rpartition("/")[2]
    path = path.removeprefix(METADATA_FILE_PREFIX + DEVICE_TAG)
    parts = []
    for part in path.split(","):
        if part.startswith("device_"):
            _, kind, number = part.split("_")
            parts.append(f"device:{kind}:{number}")
        else:
            parts.append(part.replace("_", ":", 1))
    return "/".join(parts)


def parse_node_or_tensor_name(name: str) -> tuple[str, int | None]:
    """`a:1` as ("a", 1), `a` as ("a", None)."""
    if ":" in name and not name.endswith(":"):
        node, _, slot = name.rpartition(":")
        return node, int(slot)
    return name, None


def get_node_name(element_name: str) -> str:
    """`a:0` as "a"; the ^ of a control input stays off."""
    return parse_node_or_tensor_name(element_name)[0].removeprefix("^")


def get_output_slot(element_name: str) -> int:
    """`a:1` as 1, `a` as 0."""
    return parse_node_or_tensor_name(element_name)[1] or 0


def is_copy_node(node_name: str) -> bool:
    """Whether TensorFlow's debugger put a node in to copy a tensor."""
    return node_name.startswith(COPY_PREFIX)


def is_debug_node(node_name: str) -> bool:
    """Whether TensorFlow's debugger put a node in to dump a tensor."""
    return node_name.startswith(DEBUG_PREFIX)


def parse_debug_node_name(node_name: str) -> tuple[str, int, int, str]:
    """`__dbg_a:0_1_DebugIdentity` as ("a", 0, 1, "DebugIdentity").

    Raises:
        ValueError: it is no such name.
    """
    if not node_name.startswith(DEBUG_PREFIX):
        raise ValueError(f"Invalid prefix in debug node name: '{node_name}'")
    rest = node_name.removeprefix(DEBUG_PREFIX)
    tensor, _, op = rest.rpartition("_")
    tensor, _, number = tensor.rpartition("_")
    if not number.isdigit() or not op:
        raise ValueError(f"Invalid debug node name: '{node_name}'")
    watched, _, slot = tensor.rpartition(":")
    if not watched or not slot.isdigit():
        raise ValueError(f"Invalid tensor name in debug node name: '{node_name}'")
    return watched, int(slot), int(number), op
