"""The small part of YAML the configs need: two levels of `key: value`."""


def scalar(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"true": True, "false": False, "null": None}.get(text.lower(), text.strip("'\""))


def load(path):
    root, section = {}, None
    with open(path) as f:
        for raw in f:
            line = raw.split("#")[0].rstrip()
            if not line.strip():
                continue
            key, _, value = line.strip().partition(":")
            if line[0].isspace():
                section[key] = scalar(value.strip())
            elif value.strip():
                root[key] = scalar(value.strip())
            else:
                section = root[key] = {}
    return root
