"""Reads the two-level yaml files we use (no need for a dependency)."""


def _value(text):
    text = text.strip()
    for cast in (int, float):
        try:
            return cast(text)
        except ValueError:
            pass
    return text.strip("'\"")


def load(path):
    tree, section = {}, None
    with open(path) as f:
        for raw in f:
            line = raw.split("#")[0].rstrip()
            if not line:
                continue
            key, _, rest = line.strip().partition(":")
            if not line.startswith(" "):
                if rest.strip():
                    tree[key] = _value(rest)
                else:
                    section = tree.setdefault(key, {})
            else:
                section[key] = _value(rest)
    return tree
