"""Pre-train without labels, freeze, then fit a linear classifier on 100 labelled scans."""
import torch
from torch import nn

from common import Encoder, load_data
from pretrain import pretrain


def linear_probe(encoder, epochs=60):
    data = load_data()
    encoder.eval().requires_grad_(False)
    x, y = data["labelled"]
    xt, yt = data["test"]
    with torch.no_grad():
        f, ft = encoder(x), encoder(xt)
    mean, std = f.mean(0), f.std(0) + 1e-3
    f, ft = (f - mean) / std, (ft - mean) / std
    probe = nn.Linear(f.size(1), 10)
    opt = torch.optim.SGD(probe.parameters(), lr=0.02, momentum=0.9, weight_decay=0.02)
    for epoch in range(epochs):
        for idx in torch.randperm(len(f)).split(25):
            loss = nn.functional.cross_entropy(probe(f[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 15 == 14:
            with torch.no_grad():
                out, out_t = probe(f), probe(ft)
                print(f"[probe] epoch {epoch + 1}  train loss {nn.functional.cross_entropy(out, y):.3f}  "
                      f"test acc {(out_t.argmax(1) == yt).float().mean():.3f}")


if __name__ == "__main__":
    torch.manual_seed(12)
    enc = pretrain(Encoder())
    linear_probe(enc)
