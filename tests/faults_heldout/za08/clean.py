import csv
import math

MISSING = {"", "na", "n/a", "null", "-", "?"}


def to_float(cell):
    cell = cell.strip().replace(" ", "")
    if cell.lower() in MISSING:
        return math.nan
    if "," in cell:                      # the Belgian branch exports decimal commas
        cell = cell.replace(",", ".")
    return float(cell)


def read(path, numeric, categorical, target):
    """Parse, drop repeated customer ids (the export joins on contracts) and unlabeled rows."""
    seen, out = set(), []
    with open(path, encoding="utf-8-sig", newline="") as fh:
        for raw in csv.DictReader(fh, delimiter=";"):
            rec = {k.strip().lower(): (v or "") for k, v in raw.items() if k}
            key = rec["customer_id"].strip()
            label = rec[target].strip().lower()
            if key in seen or label in MISSING:
                continue
            seen.add(key)
            out.append((
                [to_float(rec[c]) for c in numeric],
                [rec[c].strip().lower() or "unknown" for c in categorical],
                1.0 if label in ("yes", "y", "1", "true") else 0.0,
            ))
    return out
