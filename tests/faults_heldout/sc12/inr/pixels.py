import numpy as np
import torch


def load_picture(path):
    img = torch.from_numpy(np.load(path)).float() / 255
    h, w, _ = img.shape
    ys, xs = torch.meshgrid(torch.linspace(-1, 1, h), torch.linspace(-1, 1, w), indexing="ij")
    return torch.stack([xs, ys], -1).reshape(-1, 2), img.reshape(-1, 3)


class PixelSampler:
    """Splits pixels into a fitting and a held-out part and serves shuffled batches of the first."""

    def __init__(self, coords, colors, holdout, batch):
        perm = torch.randperm(len(coords))
        n_hold = int(len(coords) * holdout)
        self.held = coords[perm[:n_hold]], colors[perm[:n_hold]]
        self.coords, self.colors = coords[perm[n_hold:]], colors[perm[n_hold:]]
        self.batch = batch

    def __len__(self):
        return (len(self.coords) + self.batch - 1) // self.batch

    def __iter__(self):
        for idx in torch.randperm(len(self.coords)).split(self.batch):
            yield self.coords[idx], self.colors[idx]
