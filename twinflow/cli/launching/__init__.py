"""What `twinflow launch` does: places of processes, their environment, their lives."""
