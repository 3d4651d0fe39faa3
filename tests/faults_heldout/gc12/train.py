"""Does the badge that opens a log line turn up again later in the same line?"""
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(8)
VOCAB, LEN, DIM = 16, 10, 48


def log_lines(n, gen):
    first = torch.randint(VOCAB, (n, 1), generator=gen)
    shift = torch.randint(1, VOCAB, (n, LEN - 1), generator=gen)
    rest = (first + shift) % VOCAB
    y = torch.randint(2, (n,), generator=gen)
    pos = torch.randint(LEN - 1, (n, 1), generator=gen)
    again = rest.scatter(1, pos, first)
    rest = torch.where(y.bool().unsqueeze(1), again, rest)
    return TensorDataset(torch.cat([first, rest], 1), y)


class LineEncoder(nn.Module):
    def __init__(self, heads=4, layers=2):
        super().__init__()
        self.token = nn.Embedding(VOCAB, DIM)
        self.position = nn.Parameter(torch.randn(LEN, DIM) * 0.5)
        layer = nn.TransformerEncoderLayer(DIM, heads, dim_feedforward=96, dropout=0.0, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(DIM, 2)

    def forward(self, tokens):
        h = self.token(tokens) * math.sqrt(2.0) + self.position
        h = self.encoder(h)
        return self.head(h[:, 0])


gen = torch.Generator().manual_seed(99)
train = DataLoader(log_lines(4096, gen), batch_size=64, shuffle=True)
val = DataLoader(log_lines(512, gen), batch_size=64)
model = LineEncoder()
optimizer = torch.optim.AdamW(model.parameters(), lr=1.5e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1.5e-3, epochs=14, steps_per_epoch=len(train))
loss_fn = nn.CrossEntropyLoss()

for epoch in range(14):
    model.train()
    mean = 0.0
    for step, (x, y) in enumerate(train, 1):
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        mean += (loss.item() - mean) / step
    model.eval()
    with torch.no_grad():
        acc = sum((model(x).argmax(1) == y).sum().item() for x, y in val) / len(val.dataset)
    print(f"epoch {epoch:2d} loss {mean:.4f} val accuracy {acc:.3f}")
