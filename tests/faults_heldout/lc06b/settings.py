# Tool wear model, production settings
DATA = "mill_runs.csv"
TARGET = "wear_um"
TEST_SHARE = 0.25

HIDDEN = (128, 128)
DROPOUT = 0.9

LR = 2e-3
BATCH = 64
EPOCHS = 40
SEED = 19
