"""What other libraries of 2018 had and have no more, put back while a script runs."""
