"""Tiny two-level yaml reader so the kiosk image does not need extra packages."""


def _scalar(text):
    low = text.lower()
    if low in ("true", "false"):
        return low == "true"
    if low in ("null", "none", ""):
        return None
    for cast in (int, float):
        try:
            return cast(text)
        except ValueError:
            pass
    return text.strip("'\"")


def load(path):
    cfg, section = {}, None
    with open(path) as fh:
        for raw in fh:
            line = raw.split("#", 1)[0].rstrip()
            if not line:
                continue
            key, _, value = line.strip().partition(":")
            if line[0] != " ":
                section = cfg.setdefault(key, {})
            else:
                section[key] = _scalar(value.strip())
    return cfg
