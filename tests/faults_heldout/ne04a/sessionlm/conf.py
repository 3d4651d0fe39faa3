"""Reader for the flat `section.key = value` files used by all our jobs."""
import ast
from types import SimpleNamespace


def read_conf(path):
    root = SimpleNamespace()
    with open(path) as fh:
        for raw in fh:
            line = raw.split("#", 1)[0].strip()
            if not line:
                continue
            name, value = (part.strip() for part in line.split("=", 1))
            section, key = name.split(".")
            try:
                value = ast.literal_eval(value)
            except (ValueError, SyntaxError):
                pass
            if not hasattr(root, section):
                setattr(root, section, SimpleNamespace())
            setattr(getattr(root, section), key, value)
    return root
