from torch import nn
import torch


class GhostBatchNorm(nn.Module):
    """Batch norm over virtual batches (Hoffer et al., 2017), as in TabNet."""

    def __init__(self, features, virtual_batch, momentum=0.05):
        super().__init__()
        self.bn = nn.BatchNorm1d(features, momentum=momentum)
        self.virtual_batch = virtual_batch

    def forward(self, x):
        if not self.training:
            return self.bn(x)
        return torch.cat([self.bn(part) for part in x.split(self.virtual_batch)])


class GatedBlock(nn.Module):
    def __init__(self, n_in, n_out, virtual_batch):
        super().__init__()
        self.fc = nn.Linear(n_in, 2 * n_out, bias=False)
        self.norm = GhostBatchNorm(2 * n_out, virtual_batch)

    def forward(self, x):
        return nn.functional.glu(self.norm(self.fc(x)))


class TabularNet(nn.Module):
    def __init__(self, n_in, width, n_out, virtual_batch):
        super().__init__()
        self.b1 = GatedBlock(n_in, width, virtual_batch)
        self.b2 = GatedBlock(width, width, virtual_batch)
        self.b3 = GatedBlock(width, width, virtual_batch)
        self.out = nn.Linear(width, n_out)

    def forward(self, x):
        h = self.b1(x)
        h = (h + self.b2(h)) * 0.5 ** 0.5
        h = (h + self.b3(h)) * 0.5 ** 0.5
        return self.out(h)
