"""compile, fit, evaluate and predict: what a model does with data."""
