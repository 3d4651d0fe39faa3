"""Frames of the counter camera: one digit of the drum is fully in view."""
import numpy as np
import torch


def load_frames(path):
    with np.load(path) as z:
        return z["frames"], z["digit"].astype(np.int64)


def crop(frames, roi):
    x, y, w, h = roi
    if x < 0 or y < 0 or y + h > frames.shape[1] or x + w > frames.shape[2]:
        raise ValueError(f"roi {roi} is outside of the {frames.shape[2]}x{frames.shape[1]} frame")
    return frames[:, y:y + h, x:x + w]


def to_tensor(images, black=16.0, white=235.0):
    scaled = (images.astype(np.float32) - black) / (white - black)
    return torch.from_numpy(scaled - 0.5).unsqueeze(1) * 2


class Split:
    def __init__(self, x, y):
        self.x, self.y = x, torch.as_tensor(y)

    def __len__(self):
        return len(self.y)

    def shuffled(self, size, generator):
        for pick in torch.randperm(len(self), generator=generator).split(size):
            yield self.x[pick], self.y[pick]


def make_splits(path, roi, test_share, seed):
    frames, digit = load_frames(path)
    images = to_tensor(crop(frames, roi))
    order = np.random.default_rng(seed).permutation(len(digit))
    cut = int(len(digit) * test_share)
    return Split(images[order[cut:]], digit[order[cut:]]), Split(images[order[:cut]], digit[order[:cut]])
