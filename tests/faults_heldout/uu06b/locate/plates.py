import numpy as np
import torch

SIDE = 28


def load(path):
    """Unpacks the four-bit pictures; boxes are (x, y, w, h) in pixels of the upper left corner."""
    with np.load(path) as store:
        packed, boxes = store["cells"], store["boxes"]
    pictures = np.stack([packed >> 4, packed & 15], axis=-1).reshape(len(packed), SIDE, SIDE)
    x = torch.tensor(pictures, dtype=torch.float32).div(15).sub(0.4).div(0.16).unsqueeze(1)
    b = torch.tensor(boxes)
    # centre and size as shares of the side
    y = torch.stack([b[:, 0] + b[:, 2] / 2, b[:, 1] + b[:, 3] / 2, b[:, 2], b[:, 3]], 1) / SIDE
    return x, y


def iou(p, q):
    lo = torch.maximum(p[:, :2] - p[:, 2:] / 2, q[:, :2] - q[:, 2:] / 2)
    hi = torch.minimum(p[:, :2] + p[:, 2:] / 2, q[:, :2] + q[:, 2:] / 2)
    shared = (hi - lo).clamp_min(0).prod(1)
    return shared / (p[:, 2:].clamp_min(0).prod(1) + q[:, 2:].prod(1) - shared)
