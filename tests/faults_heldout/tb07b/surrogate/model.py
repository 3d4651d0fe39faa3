from torch import nn


class ArmSurrogate(nn.Module):
    def __init__(self, n_joints: int, n_out: int, width: int, depth: int):
        super().__init__()
        layers, size = [], n_joints
        for _ in range(depth):
            layers += [nn.Linear(size, width), nn.SiLU()]
            size = width
        self.body = nn.Sequential(*layers)
        self.head = nn.Linear(size, n_out)

    def forward(self, q):
        return self.head(self.body(q))
