"""The small part of yaml that the lab's recipes use: nested maps of scalars and lists."""


def _value(text):
    if text.startswith("["):
        return [_value(t.strip()) for t in text[1:-1].split(",")]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return {"true": True, "false": False, "null": None}.get(text, text)


def load(path):
    root = {}
    stack = [(-1, root)]
    with open(path) as fh:
        for raw in fh:
            line = raw.split("#")[0].rstrip()
            if not line:
                continue
            indent = len(line) - len(line.lstrip())
            key, _, rest = line.strip().partition(":")
            while stack[-1][0] >= indent:
                stack.pop()
            if rest.strip():
                stack[-1][1][key] = _value(rest.strip())
            else:
                stack[-1][1][key] = {}
                stack.append((indent, stack[-1][1][key]))
    return root
