import torch.nn as nn


def build(n_kinds, width=48, p_drop=0.4):
    return PointNet(n_kinds, width, p_drop)


class PointNet(nn.Module):
    def __init__(self, n_kinds, width, p_drop):
        super().__init__()
        self.local = nn.Sequential(
            nn.Conv1d(3, width, 1), nn.BatchNorm1d(width), nn.ReLU(),
            nn.Conv1d(width, 2 * width, 1), nn.BatchNorm1d(2 * width), nn.ReLU(),
        )
        self.globe = nn.Sequential(
            nn.Linear(2 * width, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout(p_drop), nn.Linear(width, n_kinds),
        )

    def forward(self, pts):
        return self.globe(self.local(pts.transpose(1, 2)).amax(2))
