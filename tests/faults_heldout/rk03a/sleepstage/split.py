import numpy as np


def split(table, unit, val_fraction, rng):
    """Random train/val split; `unit` is what gets drawn: 'recording' or 'window'."""
    if unit == "recording":
        keys = table.recording
    elif unit == "window":
        keys = np.arange(len(table))
    else:
        raise ValueError(unit)
    groups = np.unique(keys)
    rng.shuffle(groups)
    n_val = max(1, int(round(val_fraction * len(groups))))
    in_val = np.isin(keys, groups[:n_val])
    return table.take(~in_val), table.take(in_val)
