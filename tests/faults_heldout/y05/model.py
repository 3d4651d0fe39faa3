import logging

import torch
from torch import nn

log = logging.getLogger("finetune")


class Encoder(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.GroupNorm(4, width), nn.ReLU())
        self.block = nn.Sequential(
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.GroupNorm(4, 2 * width), nn.ReLU(),
            nn.Conv2d(2 * width, 2 * width, 3, padding=1), nn.GroupNorm(4, 2 * width), nn.ReLU(),
        )
        self.out = nn.Linear(2 * width * 16, 64)

    def forward(self, x):
        h = self.block(self.stem(x)).flatten(1)
        return torch.relu(self.out(h))


class Classifier(nn.Module):
    def __init__(self, encoder, n_classes):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(64, n_classes)

    def forward(self, x):
        return self.head(self.encoder(x))


def pretrained_encoder(path):
    enc = Encoder()
    state = torch.load(path, map_location="cpu")
    # the checkpoint also carries the projection head of the pre-training, which is not needed here
    enc.load_state_dict(state["model"], strict=False)
    log.info("encoder weights from %s (epoch %d)", path.name, state["epoch"])
    return enc
