from pathlib import Path

LOG_DIR = Path(__file__).parent / "logs"
MIN_COUNT = 2
EMBED, HIDDEN = 32, 48
BATCH, EPOCHS, LR = 32, 8, 2e-3
LABELS = ["auth", "database", "disk", "memory", "network"]
SEED = 314
