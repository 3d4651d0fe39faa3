from pathlib import Path


def read(path):
    """flat `key: value` yaml"""
    out = {}
    for line in Path(path).read_text().splitlines():
        line = line.partition("#")[0].strip()
        if not line or line == "---":
            continue
        key, value = (part.strip() for part in line.split(":", 1))
        try:
            out[key] = int(value) if value.lstrip("-").isdigit() else float(value)
        except ValueError:
            out[key] = value
    return out
