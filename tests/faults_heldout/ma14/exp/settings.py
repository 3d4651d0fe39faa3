def _value(text):
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [_value(t) for t in text[1:-1].split(",")]
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for cast in (int, float):
        try:
            return cast(text)
        except ValueError:
            pass
    return text.strip("'\"")


def read_yaml(path):
    """two-level yaml, enough for our experiments (no dependency on the cluster)"""
    out, section = {}, None
    for line in open(path):
        line = line.split("#")[0].rstrip()
        if not line:
            continue
        key, _, rest = line.partition(":")
        if not line.startswith(" "):
            section = out.setdefault(key.strip(), {})
        else:
            section[key.strip()] = _value(rest)
    return out
