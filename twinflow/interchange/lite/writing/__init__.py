"""The writers of single ops, a file for each family."""
