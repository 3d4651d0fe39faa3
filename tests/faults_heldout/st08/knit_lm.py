"""Character model of knitting charts. Plain SGD, steps of bounded length."""
import math
from pathlib import Path

import torch
from torch import nn

OPTIONS = dict(
    hidden=96,
    emb=16,
    window=32,
    streams=24,
    epochs=10,
    lr=4.0,
    max_norm=0.08,
    seed=33,
)


def corpus():
    text = (Path(__file__).parent / "charts.txt").read_text().replace("\n", "")
    letters = sorted(set(text))
    ids = torch.tensor([letters.index(ch) for ch in text])
    k = int(0.9 * len(ids))
    return ids[:k], ids[k:], letters


def lay_out(ids, streams):
    n = len(ids) // streams
    return ids[: n * streams].view(streams, n)


class Knitter(nn.Module):
    def __init__(self, v, emb, hidden):
        super().__init__()
        self.emb = nn.Embedding(v, emb)
        self.rnn = nn.GRU(emb, hidden, batch_first=True)
        self.out = nn.Linear(hidden, v)

    def forward(self, ids, state=None):
        h, state = self.rnn(self.emb(ids), state)
        return self.out(h), state


def windows(grid, size):
    for i in range(0, grid.shape[1] - 1, size):
        j = min(i + size, grid.shape[1] - 1)
        yield grid[:, i:j], grid[:, i + 1:j + 1]


def bits(model, grid, size, loss_fn):
    model.eval()
    total, count, state = 0.0, 0, None
    with torch.no_grad():
        for x, y in windows(grid, size):
            z, state = model(x, state)
            total += loss_fn(z.flatten(0, 1), y.flatten()).item() * y.numel()
            count += y.numel()
    return total / count / math.log(2)


def train(o):
    torch.manual_seed(o["seed"])
    fit, held, letters = corpus()
    fit, held = lay_out(fit, o["streams"]), lay_out(held, 4)
    model = Knitter(len(letters), o["emb"], o["hidden"])
    ce = nn.CrossEntropyLoss()
    opt = torch.optim.SGD(model.parameters(), lr=o["lr"])
    per = math.ceil((fit.shape[1] - 1) / o["window"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, o["epochs"] * per)
    for ep in range(o["epochs"]):
        model.train()
        state, loss_sum, capped, seen = None, 0.0, 0, 0
        for x, y in windows(fit, o["window"]):
            if state is not None:
                state = state.detach()
            z, state = model(x, state)
            loss = ce(z.flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), o["max_norm"])
            opt.step()
            sched.step()
            loss_sum += loss.item()
            capped += int(norm > o["max_norm"])
            seen += 1
        print(f"{ep + 1:2d}  train {loss_sum / seen / math.log(2):.4f} bits  "
              f"held {bits(model, held, o['window'], ce):.4f} bits  capped {capped}/{seen}")


if __name__ == "__main__":
    train(OPTIONS)
