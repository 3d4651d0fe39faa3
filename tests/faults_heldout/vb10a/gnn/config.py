import tomllib
from pathlib import Path


def _merge(base, extra):
    out = dict(base)
    for key, value in extra.items():
        if isinstance(value, dict) and isinstance(out.get(key), dict):
            out[key] = _merge(out[key], value)
        else:
            out[key] = value
    return out


def load(path):
    """Read a TOML file; `extends` names a parent file in the same folder."""
    path = Path(path)
    data = tomllib.loads(path.read_text())
    parent = data.pop("extends", None)
    return _merge(load(path.parent / parent), data) if parent else data
