import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.ReLU(),
            nn.Flatten(), nn.Linear(32 * 16, code))

    def forward(self, x):
        return self.net(x)


class Decoder(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.fc = nn.Linear(code, 32 * 16)
        self.up = nn.ConvTranspose2d(32, 16, 2, stride=2)
        self.out = nn.Conv2d(16, 1, 3, padding=1)

    def forward(self, c):
        h = torch.relu(self.fc(c)).view(-1, 32, 4, 4)
        return self.out(torch.relu(self.up(h)))


class AutoEncoder(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.enc, self.dec = Encoder(code), Decoder(code)

    def forward(self, x):
        return self.dec(self.enc(x))
