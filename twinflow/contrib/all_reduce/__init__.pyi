# Made by `make stubs` from the table of the index.
from twinflow.contrib.all_reduce.building import build_nccl_all_reduce as build_nccl_all_reduce
from twinflow.contrib.all_reduce.building import build_nccl_then_recursive_hd as build_nccl_then_recursive_hd
from twinflow.contrib.all_reduce.building import build_nccl_then_ring as build_nccl_then_ring
from twinflow.contrib.all_reduce.building import build_nccl_then_shuffle as build_nccl_then_shuffle
from twinflow.contrib.all_reduce.building import build_recursive_hd_all_reduce as build_recursive_hd_all_reduce
from twinflow.contrib.all_reduce.building import build_ring_all_reduce as build_ring_all_reduce
from twinflow.contrib.all_reduce.building import build_shuffle_all_reduce as build_shuffle_all_reduce
from twinflow.contrib.all_reduce.building import build_shuffle_then_ring as build_shuffle_then_ring
from twinflow.contrib.all_reduce.building import build_shuffle_then_shuffle as build_shuffle_then_shuffle

__all__ = [
"build_nccl_all_reduce", "build_nccl_then_recursive_hd", "build_nccl_then_ring",
"build_nccl_then_shuffle", "build_recursive_hd_all_reduce", "build_ring_all_reduce",
"build_shuffle_all_reduce", "build_shuffle_then_ring", "build_shuffle_then_shuffle"
]
