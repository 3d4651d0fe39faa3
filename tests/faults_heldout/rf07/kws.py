import numpy as np
import torch
from torch import nn
from torch.utils.data import Dataset


class LogMel(Dataset):
    def __init__(self, mel, word, mean, std):
        self.mel = (mel - mean) / std
        self.word = word

    def __len__(self):
        return len(self.word)

    def __getitem__(self, i):
        return self.mel[i].t(), self.word[i]


def load(path, n_train=560, seed=0):
    z = np.load(path)
    mel = torch.from_numpy(z["mel"].astype(np.float32) * float(z["scale"]))
    word = torch.from_numpy(z["word"].astype(np.int64))
    perm = torch.randperm(len(word), generator=torch.Generator().manual_seed(seed))
    tr, te = perm[:n_train], perm[n_train:]
    mean, std = mel[tr].mean((0, 1)), mel[tr].std((0, 1))
    return LogMel(mel[tr], word[tr], mean, std), LogMel(mel[te], word[te], mean, std)


class SpotNet(nn.Module):
    def __init__(self, bands=16, width=48, words=8):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(bands, width, 5, padding=2), nn.GroupNorm(4, width), nn.ReLU(),
            nn.Conv1d(width, width, 5, padding=2, stride=2), nn.GroupNorm(4, width), nn.ReLU(),
            nn.AdaptiveMaxPool1d(3), nn.Flatten(), nn.Dropout(0.3), nn.Linear(3 * width, words),
        )

    def forward(self, x):
        return self.net(x)
