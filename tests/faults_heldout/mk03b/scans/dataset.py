import numpy as np
import torch


class ScanSet:
    """Depth-scan fragments: (points, 3) each, already centred by the scanner software."""

    def __init__(self, path, val_share, seed):
        z = np.load(path)
        pts = torch.from_numpy(z["points"].astype(np.float32)) / 60.0
        lab = torch.from_numpy(z["label"])
        perm = torch.from_numpy(np.random.default_rng(seed).permutation(len(lab)))
        cut = int(len(lab) * val_share)
        self.val = (pts[perm[:cut]], lab[perm[:cut]])
        self.train = (pts[perm[cut:]], lab[perm[cut:]])

    def batches(self, size, gen, jitter=0.02):
        pts, lab = self.train
        for idx in torch.randperm(len(lab), generator=gen).split(size):
            p = pts[idx]
            a = torch.rand(len(idx), generator=gen) * 2 * torch.pi
            c, s = a.cos(), a.sin()
            rot = torch.zeros(len(idx), 3, 3)
            rot[:, 0, 0], rot[:, 0, 1], rot[:, 1, 0], rot[:, 1, 1], rot[:, 2, 2] = c, -s, s, c, 1.0
            yield p @ rot + jitter * torch.randn(p.shape, generator=gen), lab[idx]
