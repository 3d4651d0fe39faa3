import torch
import torch.nn.functional as F
from torch.utils.data import Dataset


class PlateDataset(Dataset):
    """Deflection of a simply supported plate under a few random modes, 24x24 grid."""

    def __init__(self, n, seed, size=24):
        g = torch.Generator().manual_seed(seed)
        s = torch.linspace(0, torch.pi, size)
        modes = [(p, q) for p in range(1, 5) for q in range(1, 5)]
        basis = torch.stack([torch.outer(torch.sin(p * s), torch.sin(q * s)) for p, q in modes])
        amp = torch.randn(n, len(modes), generator=g)
        amp = amp / torch.tensor([float(p * p + q * q) for p, q in modes]) ** 0.8
        fine = torch.einsum("nk,kij->nij", amp, basis) * 4e-3
        self.fine = fine.unsqueeze(1)
        coarse = F.avg_pool2d(self.fine, 4)
        coarse = coarse * 1e3  # gauges report millimetres
        self.coarse = coarse + 0.02 * torch.randn(coarse.shape, generator=g)

    def __len__(self):
        return len(self.fine)

    def __getitem__(self, i):
        return self.coarse[i], self.fine[i]
