from pathlib import Path

_CASTS = {"EPOCHS": int, "HIDDEN": int, "SEED": int, "LR": float, "MOMENTUM": float, "DROPOUT": float}


def read_env(path=Path(__file__).with_name(".env")):
    out = {}
    for line in path.read_text().splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            key, _, value = line.partition("=")
            out[key] = _CASTS.get(key, str)(value)
    return out
