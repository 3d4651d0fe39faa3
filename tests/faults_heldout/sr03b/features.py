import numpy as np
import torch


def baseline_of(ticks, how, nominal):
    if how == "median":
        return np.median(ticks, axis=1, keepdims=True)
    if how == "mean":
        return ticks.mean(axis=1, keepdims=True)
    if how == "nominal":
        return np.full((len(ticks), 1), nominal, dtype=ticks.dtype)
    raise KeyError(how)


def squash(dev, knee):
    return np.arcsinh(dev / knee)


def build(ticks_us, spec, nominal):
    """tick intervals in microseconds -> two channels: tick deviation and tick/tock difference"""
    ticks = ticks_us.astype(np.float64)
    dev = ticks - baseline_of(ticks, spec["baseline"], nominal)
    step = np.diff(dev, axis=1, prepend=dev[:, :1])
    both = np.stack([squash(dev, spec["knee_us"]), squash(step, spec["knee_us"])], axis=1)
    return torch.tensor(both, dtype=torch.float32)
