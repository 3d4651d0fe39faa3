import tomllib

import torch
import torch.nn.functional as F

from doorlog.dataset import STATES, read
from doorlog.model import StateReader, param_groups


def evaluate(model, ids, lens, y):
    model.eval()
    with torch.no_grad():
        out = model(ids, lens)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    with open("doorlog/settings.toml", "rb") as f:
        cfg = tomllib.load(f)
    torch.manual_seed(10)
    ids, lens, y, vocab = read(cfg["data"]["file"])
    n = len(y) - cfg["data"]["holdout"]
    t = cfg["train"]
    model = StateReader(vocab, **cfg["model"])
    opt = torch.optim.AdamW(param_groups(model, t["weight_decay"]), lr=t["lr"])
    print("share of states:", {s: round((y == i).float().mean().item(), 3) for i, s in enumerate(STATES)})

    for epoch in range(t["epochs"]):
        model.train()
        tot = 0.0
        for b in torch.randperm(n).split(t["batch"]):
            opt.zero_grad()
            loss = F.cross_entropy(model(ids[b], lens[b]), y[b])
            loss.backward()
            opt.step()
            tot += loss.item() * len(b)
        vl, va = evaluate(model, ids[n:], lens[n:], y[n:])
        print(f"epoch {epoch + 1:2d} | train {tot / n:.4f} | held-out {vl:.4f} acc {va:.3f}")


if __name__ == "__main__":
    main()
