from torch import nn


class ConvAE(nn.Module):
    def __init__(self, code=16, width=8):
        super().__init__()
        w = width
        self.encoder = nn.Sequential(
            nn.Conv2d(1, w, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(w, w, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(w * 36, code))
        self.decoder = nn.Sequential(
            nn.Linear(code, w * 36), nn.ReLU(), nn.Unflatten(1, (w, 6, 6)),
            nn.Upsample(scale_factor=2), nn.Conv2d(w, w, 3, padding=1), nn.ReLU(),
            nn.Upsample(scale_factor=2), nn.Conv2d(w, 1, 3, padding=1))

    def forward(self, x):
        z = self.encoder(x)
        return self.decoder(z), z
