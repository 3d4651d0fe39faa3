import csv

import numpy as np

SCALE = 40.0  # counts per g


def load_recordings(path):
    with np.load(path) as archive:
        signals = [archive[name] for name in sorted(archive.files)]
    return np.stack(signals).astype(np.float32) / SCALE


def load_annotations(path):
    with open(path, newline="") as f:
        rows = sorted(csv.DictReader(f), key=lambda r: int(r["recording"]))
    activity = [r["activity"] for r in rows]
    subject = np.array([int(r["subject"]) for r in rows])
    classes = sorted(set(activity))
    return np.array([classes.index(a) for a in activity]), subject, classes
