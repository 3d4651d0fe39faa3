from pathlib import Path

import numpy as np
import torch


class Records(torch.utils.data.Dataset):
    def __init__(self, root, part, scale, transform=None):
        root = Path(root)
        self.wave = torch.from_numpy(np.load(root / f"{part}_wave.npy").astype(np.float32)) / scale
        self.kind = torch.from_numpy(np.load(root / f"{part}_kind.npy").astype(np.int64))
        self.transform = transform

    def __len__(self):
        return self.kind.numel()

    def __getitem__(self, i):
        w = self.wave[i].unsqueeze(0)
        if self.transform is not None:
            w = self.transform(w)
        return w, self.kind[i]
