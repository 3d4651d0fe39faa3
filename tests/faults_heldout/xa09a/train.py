from pathlib import Path

import torch

from metric.pairs import load_pairs
from metric.siamese import Encoder, contrastive, distance


def auc(d, same):
    pos, neg = d[same == 1], d[same == 0]
    return (pos[:, None] < neg[None, :]).float().mean().item()


def main(epochs=14, batch=50, lr=1e-3):
    torch.manual_seed(88)
    parts = load_pairs(Path(__file__).parent)
    left, right, same = parts["train"]
    vl, vr, vs = parts["val"]
    enc = Encoder(left.shape[1])
    opt = torch.optim.Adam(enc.parameters(), lr=lr)
    for epoch in range(epochs):
        meter = 0.0
        order = torch.randperm(len(same))
        for k in range(0, len(order), batch):
            sel = order[k:k + batch]
            loss = contrastive(distance(enc(left[sel]), enc(right[sel])), same[sel])
            opt.zero_grad()
            loss.backward()
            opt.step()
            meter += loss.item() * len(sel)
        with torch.no_grad():
            d = distance(enc(vl), enc(vr))
        print(f"{epoch:02d} contrastive={meter / len(same):.4f} val={contrastive(d, vs).item():.4f} val_auc={auc(d, vs):.4f}")


if __name__ == "__main__":
    main()
