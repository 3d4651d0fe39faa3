"""Enough YAML for our experiment files (scalars and one level of nesting)."""


def _scalar(s):
    s = s.strip()
    for cast in (int, float):
        try:
            return cast(s)
        except ValueError:
            pass
    if s.lower() in ("true", "false"):
        return s.lower() == "true"
    if "," in s:
        return [_scalar(p) for p in s.split(",")]
    return s


def load(path):
    root, section = {}, None
    for line in open(path):
        line = line.split("#")[0].rstrip()
        if not line:
            continue
        key, _, value = line.strip().partition(":")
        if line[0] != " ":
            if value.strip():
                root[key], section = _scalar(value), None
            else:
                section = root[key] = {}
        else:
            section[key] = _scalar(value)
    return root
