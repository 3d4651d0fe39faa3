"""Stateful LSTM over long parallel streams, truncated BPTT."""
import torch
from torch import nn

torch.manual_seed(40)
STREAMS, CHUNK, LENGTH = 16, 25, 2500


def telegraph(n, length, seed):
    """Symbols 3 and 4 switch the line to normal / shifted mode (rarely); the others are sent in the current mode."""
    g = torch.Generator().manual_seed(seed)
    x = torch.randint(0, 3, (n, length), generator=g)
    switch = torch.rand(n, length, generator=g) < 0.04
    x[switch] = torch.randint(3, 5, (int(switch.sum()),), generator=g)
    y = x.clone()
    shifted = torch.zeros(n, dtype=torch.bool)
    for t in range(length):
        shifted = torch.where(x[:, t] >= 3, x[:, t] == 4, shifted)
        y[:, t] = torch.where(shifted & (x[:, t] < 3), (x[:, t] + 1) % 3, x[:, t])
    return x, y


class StreamTagger(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.embed = nn.Embedding(5, 8)
        self.lstm = nn.LSTM(8, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 5)

    def forward(self, x, state=None):
        out, state = self.lstm(self.embed(x), state)
        return self.head(out), state


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        logits, _ = model(x)
    model.train()
    return nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten()).item(), (logits.argmax(-1) == y).float().mean().item()


model = StreamTagger()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
xs, ys = telegraph(STREAMS, LENGTH, 1)
xv, yv = telegraph(8, 800, 2)
for sweep in range(5):
    state = None
    for k, at in enumerate(range(0, LENGTH, CHUNK)):
        xb, yb = xs[:, at:at + CHUNK], ys[:, at:at + CHUNK]
        if state is not None:
            state = tuple(s.detach() for s in state)
        logits, state = model(xb, state)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), yb.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if k % 50 == 49:
            print(f"sweep {sweep} chunk {k + 1} loss {loss.item():.4f}")
    vl, va = evaluate(model, xv, yv)
    print(f"sweep {sweep} val {vl:.4f} acc {va:.4f}")
