import yaml

from .engine import Engine
from .transformer import build_model


def load_settings(path):
    with open(path) as fh:
        return yaml.safe_load(fh)


__all__ = ["Engine", "build_model", "load_settings"]
