"""Two-level ``key: value`` files; values become int, float, list or str."""


def _value(text):
    if "," in text:
        return [_value(part.strip()) for part in text.split(",")]
    for cast in (int, float):
        try:
            return cast(text)
        except ValueError:
            pass
    return text


def read_settings(path):
    settings, section = {}, None
    with open(path) as handle:
        for line in handle:
            line = line.split("#", 1)[0].rstrip()
            if not line:
                continue
            key, _, rest = line.strip().partition(":")
            rest = rest.strip()
            if not line.startswith(" "):
                section = settings if rest else settings.setdefault(key, {})
            target = settings if not line.startswith(" ") else section
            if rest:
                target[key] = _value(rest)
    return settings
