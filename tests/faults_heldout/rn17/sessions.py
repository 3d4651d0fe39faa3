import random

import torch
from torch import nn


def read(path):
    for line in open(path):
        y, *tokens = line.split()
        yield int(y), tokens


class SessionNet(nn.Module):
    def __init__(self, n_tokens):
        super().__init__()
        self.embed = nn.Embedding(n_tokens, 12)
        self.conv = nn.Conv1d(12, 16, 2)
        self.out = nn.Linear(16, 1)

    def forward(self, tokens):
        h = torch.relu(self.conv(self.embed(tokens).T.unsqueeze(0)))
        return self.out(h.amax(-1)).view(())


def main(rate=2e-3, epochs=6):
    random.seed(8)
    torch.manual_seed(8)
    data = list(read("sessions.txt"))
    random.shuffle(data)
    names = {t: i for i, t in enumerate(sorted({t for _, s in data for t in s}))}
    data = [(torch.tensor([names[t] for t in s]), torch.tensor(float(y))) for y, s in data]
    train, held = data[:540], data[540:]
    net = SessionNet(len(names))
    opt = torch.optim.Adam(net.parameters(), lr=rate)
    loss_fn = nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        net.train()
        random.shuffle(train)
        total = 0.0
        for tokens, y in train:  # sessions differ in length: one per step
            loss = loss_fn(net(tokens), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        net.eval()
        with torch.no_grad():
            z = torch.stack([net(t) for t, _ in held])
            y = torch.stack([y for _, y in held])
        print(f"epoch {epoch} train {total / len(train):.4f} held-out {loss_fn(z, y).item():.4f} acc {((z > 0) == (y > 0.5)).float().mean().item():.3f}")


main()
