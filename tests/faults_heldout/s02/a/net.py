import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, ch=24):
        super().__init__()
        self.c1 = nn.Conv2d(1, ch, 3, padding=1)
        self.c2 = nn.Conv2d(ch, ch * 2, 3, padding=1)
        self.c3 = nn.Conv2d(ch * 2, ch * 2, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.act = nn.ReLU()
        self.out_dim = ch * 2 * 4

    def forward(self, x):
        x = self.pool(self.act(self.c1(x)))
        x = self.pool(self.act(self.c2(x)))
        return self.act(self.c3(x)).flatten(1)


class Classifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Linear(self.encoder.out_dim, n_classes)

    def forward(self, x):
        return self.head(self.encoder(x))
