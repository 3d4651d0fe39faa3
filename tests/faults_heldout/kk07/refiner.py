import torch.nn as nn
import torch.nn.functional as F


class Refiner(nn.Module):
    def __init__(self, width=12, unit=1e-3):
        super().__init__()
        self.unit = unit  # the layers work in millimetres, the output is in metres
        self.c1 = nn.Conv2d(1, width, 3, padding=1)
        self.c2 = nn.Conv2d(width, width, 3, padding=1)
        self.c3 = nn.Conv2d(width, width, 3, padding=1)
        self.out = nn.Conv2d(width, 1, 3, padding=1)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.interpolate(x, scale_factor=2, mode="bilinear")
        x = F.relu(self.c2(x))
        x = F.interpolate(x, scale_factor=2, mode="bilinear")
        x = F.relu(self.c3(x))
        return self.out(x) * self.unit
