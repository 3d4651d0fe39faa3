from torch import nn


class BeatEncoder(nn.Module):
    def __init__(self, ch=24):
        super().__init__()
        self.stem = nn.Conv1d(1, ch, 7, padding=3)
        self.block1 = nn.Sequential(nn.GELU(), nn.Conv1d(ch, ch, 5, stride=2, padding=2), nn.GroupNorm(4, ch))
        self.block2 = nn.Sequential(nn.GELU(), nn.Conv1d(ch, 2 * ch, 5, stride=2, padding=2), nn.GroupNorm(4, 2 * ch))
        self.block3 = nn.Sequential(nn.GELU(), nn.Conv1d(2 * ch, 2 * ch, 3, stride=2, padding=1), nn.GroupNorm(4, 2 * ch))
        self.act = nn.GELU()
        self.width = 2 * ch

    def forward(self, x):
        h = self.act(self.block3(self.block2(self.block1(self.stem(x)))))
        return h.mean(dim=-1)


class BeatClassifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.encoder = BeatEncoder()
        self.head = nn.Linear(self.encoder.width, n_classes)

    def forward(self, x):
        return self.head(self.encoder(x))
