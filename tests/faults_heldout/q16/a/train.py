import json
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

P = Path(__file__).resolve().parent


class CharLM(nn.Module):
    def __init__(self, vocab, emb, ctx, width):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.fc1 = nn.Linear(emb * ctx, width)
        self.fc2 = nn.Linear(width, width)
        self.fc3 = nn.Linear(width, vocab)

    def forward(self, ids):
        h = self.emb(ids).flatten(1)
        h = torch.tanh(self.fc1(h))
        h = h + torch.tanh(self.fc2(h))
        return self.fc3(h)


def corpus(path, ctx):
    text = path.read_text()
    chars = sorted(set(text))
    code = {c: i for i, c in enumerate(chars)}
    ids = torch.tensor([code[c] for c in text])
    w = ids.unfold(0, ctx + 1, 1)
    cut = int(0.9 * len(w))
    return chars, w[:cut], w[cut + ctx:]


def bits(model, w):
    model.eval()
    with torch.no_grad():
        nll = nn.functional.cross_entropy(model(w[:, :-1]).float(), w[:, -1]).item()
    model.train()
    return nll / np.log(2)


def main():
    cfg = json.loads((P / (sys.argv[1] if len(sys.argv) > 1 else "base.json")).read_text())
    torch.set_num_threads(1)
    torch.manual_seed(cfg["seed"])
    chars, train, dev = corpus(P / cfg["text"], cfg["context"])
    model = CharLM(len(chars), cfg["embedding"], cfg["context"], cfg["width"])
    model.to(getattr(torch, cfg["dtype"]))
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    print(f"{len(chars)} symbols, {len(train)} contexts, dev bits at start {bits(model, dev):.3f}")
    acc = 0.0
    for step in range(1, cfg["steps"] + 1):
        rows = torch.randint(len(train), (cfg["batch"],))
        b = train[rows]
        loss = nn.functional.cross_entropy(model(b[:, :-1]).float(), b[:, -1])
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc += loss.item()
        if step % cfg["report"] == 0:
            print(f"step {step} train {acc / cfg['report'] / np.log(2):.3f} dev {bits(model, dev):.3f} bits/char")
            acc = 0.0
    torch.save(model.state_dict(), P / "charlm.pt")


if __name__ == "__main__":
    main()
