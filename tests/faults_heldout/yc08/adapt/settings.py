import tomllib
from types import SimpleNamespace


def read_settings(path):
    with open(path, "rb") as fh:
        raw = tomllib.load(fh)
    flat = {k: v for k, v in raw.items() if not isinstance(v, dict)}
    for section in ("model", "train"):
        flat.update(raw[section])
    return SimpleNamespace(**flat)
