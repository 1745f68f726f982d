"""Sessions and hooks whose runs are watched."""
