# Made by `make stubs` from the table of the index.
from twinflow.feature_column.makers import numeric_column as numeric_column
from twinflow.feature_column.makers import bucketized_column as bucketized_column
from twinflow.feature_column.makers import categorical_column_with_hash_bucket as categorical_column_with_hash_bucket
from twinflow.feature_column.makers import categorical_column_with_vocabulary_file as categorical_column_with_vocabulary_file
from twinflow.feature_column.makers import categorical_column_with_vocabulary_list as categorical_column_with_vocabulary_list
from twinflow.feature_column.makers import categorical_column_with_identity as categorical_column_with_identity
from twinflow.feature_column.makers import weighted_categorical_column as weighted_categorical_column
from twinflow.feature_column.makers import crossed_column as crossed_column
from twinflow.feature_column.makers import indicator_column as indicator_column
from twinflow.feature_column.makers import embedding_column as embedding_column
from twinflow.feature_column.makers import shared_embedding_columns as shared_embedding_columns
from twinflow.feature_column.makers import make_parse_example_spec as make_parse_example_spec
from twinflow.feature_column.layers import input_layer as input_layer
from twinflow.feature_column.layers import linear_model as linear_model

__all__ = [
"numeric_column", "bucketized_column", "categorical_column_with_hash_bucket",
"categorical_column_with_vocabulary_file", "categorical_column_with_vocabulary_list",
"categorical_column_with_identity", "weighted_categorical_column", "crossed_column",
"indicator_column", "embedding_column", "shared_embedding_columns",
"make_parse_example_spec", "input_layer", "linear_model"
]
