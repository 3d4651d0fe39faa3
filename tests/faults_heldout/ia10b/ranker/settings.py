def read_settings(path):
    out = {}
    for raw in open(path):
        line = raw.split("#")[0].strip()
        if not line:
            continue
        key, value = (s.strip() for s in line.split(":", 1))
        for cast in (int, float):
            try:
                value = cast(value)
                break
            except ValueError:
                pass
        out[key] = value
    return out
