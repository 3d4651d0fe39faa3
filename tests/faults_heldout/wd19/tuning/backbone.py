import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width=24, out=64):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv1d(1, width, 9, 2, 4, bias=False), nn.BatchNorm1d(width), nn.ReLU())
        self.stage1 = nn.Sequential(nn.Conv1d(width, width * 2, 7, 2, 3, bias=False), nn.BatchNorm1d(width * 2), nn.ReLU())
        self.stage2 = nn.Sequential(nn.Conv1d(width * 2, out, 5, 2, 2, bias=False), nn.BatchNorm1d(out), nn.ReLU())

    def forward(self, x):
        return self.stage2(self.stage1(self.stem(x))).mean(2)


class Classifier(nn.Module):
    def __init__(self, n_classes, width=24, out=64):
        super().__init__()
        self.encoder = Encoder(width, out)
        self.head = nn.Linear(out, n_classes)

    def forward(self, x):
        return self.head(self.encoder(x))


def load_encoder(model, path):
    """Take the encoder of a trained classifier; its head belongs to another label set and is dropped."""
    state = torch.load(path, weights_only=True)
    kept = {k.removeprefix("encoder."): v for k, v in state.items() if k.startswith("encoder.")}
    dropped = sorted(k for k in state if not k.startswith("encoder."))
    model.encoder.load_state_dict(kept)
    return len(kept), dropped
