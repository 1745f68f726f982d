"""What `twinflow doctor` looks at: facts, and what is wrong with them."""
