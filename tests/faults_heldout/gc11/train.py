import torch
from torch import nn

from stream import lanes, telegram

CHUNK, LANES, EPOCHS = 12, 20, 8


class ModeTracker(nn.Module):
    def __init__(self, symbols=10, modes=4, dim=16, hidden=40):
        super().__init__()
        self.emb = nn.Embedding(symbols, dim)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, modes)

    def forward(self, x, state=None):
        h, state = self.lstm(self.emb(x), state)
        return self.out(h), state


def chunks(sym, mode):
    for t in range(0, sym.shape[1] - CHUNK + 1, CHUNK):
        yield sym[:, t:t + CHUNK], mode[:, t:t + CHUNK]


def train_epoch(model, opt, sym, mode):
    model.train()
    losses = []
    for x, y in chunks(sym, mode):
        state = None
        logits, state = model(x, state)
        loss = nn.functional.cross_entropy(logits.reshape(-1, logits.size(-1)), y.reshape(-1))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        losses.append(loss.item())
        state = tuple(s.detach() for s in state)
    return sum(losses) / len(losses)


@torch.no_grad()
def evaluate(model, sym, mode):
    model.eval()
    hit = n = 0
    for x, y in chunks(sym, mode):
        state = None
        logits, state = model(x, state)
        hit += (logits.argmax(-1) == y).sum().item()
        n += y.numel()
    return hit / n


def main():
    torch.manual_seed(31)
    train = [lanes(s, LANES) for s in telegram(40000, seed=1)]
    val = [lanes(s, 4) for s in telegram(6000, seed=2)]
    model = ModeTracker()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(1, EPOCHS + 1):
        loss = train_epoch(model, opt, *train)
        print(f"epoch {epoch}: loss={loss:.3f} val_acc={evaluate(model, *val):.3f}")


main()
