"""tf.saved_model.constants: the names in and around a SavedModel."""

ASSETS_KEY = "saved_model_assets"
LEGACY_INIT_OP_KEY = "legacy_init_op"
MAIN_OP_KEY = "saved_model_main_op"
TRAIN_OP_KEY = "saved_model_train_op"
SAVED_MODEL_SCHEMA_VERSION = 1
SAVED_MODEL_FILENAME_PB = "saved_model.pb"
SAVED_MODEL_FILENAME_PBTXT = "saved_model.pbtxt"
ASSETS_DIRECTORY = "assets"
VARIABLES_DIRECTORY = "variables"
VARIABLES_FILENAME = "variables"
