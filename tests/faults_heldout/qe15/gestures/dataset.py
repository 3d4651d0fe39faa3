import numpy as np
import torch
from torch.utils.data import Dataset

GESTURES = ["right", "left", "up", "down", "circle_cw", "circle_ccw"]


class Swipes(Dataset):
    """Two-axis accelerometer snippets of the wrist band."""

    def __init__(self, path, part, jitter=False):
        z = np.load(path)
        cut = 1150
        sl = slice(0, cut) if part == "train" else slice(cut, None)
        ref = z["acc"][:cut].astype("float32")
        self.x = torch.tensor((z["acc"][sl].astype("float32") - ref.mean()) / ref.std())
        self.y = torch.tensor(z["gesture"][sl].astype("int64"))
        self.jitter = jitter

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.x[i]
        if self.jitter:
            x = self._vary(x)
        return x, self.y[i]

    def _vary(self, x):
        x = x * torch.empty(1).uniform_(0.8, 1.2)
        x = torch.roll(x, int(torch.randint(-3, 4, (1,))), dims=1)
        # the band is worn on either arm and sometimes upside down
        x = x * (torch.randint(0, 2, (2, 1)) * 2 - 1)
        return x + 0.1 * torch.randn_like(x)
