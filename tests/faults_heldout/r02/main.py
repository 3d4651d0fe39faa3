import os
import tempfile

import torch
import torch.nn.functional as F

from shapes.data import KINDS, make_split
from shapes.net import Classifier


def run_epochs(model, train, val, optimizer, epochs, bs, tag):
    x, y = train
    for ep in range(epochs):
        model.train()
        perm = torch.randperm(len(x))
        tot = 0.0
        for i in range(0, len(x), bs):
            b = perm[i:i + bs]
            loss = F.cross_entropy(model(x[b]), y[b])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            tot += loss.item() * len(b)
        model.eval()
        with torch.no_grad():
            logits = model(val[0])
            vl = F.cross_entropy(logits, val[1]).item()
            acc = (logits.argmax(1) == val[1]).float().mean().item()
        print(f"[{tag}] epoch {ep + 1}: train {tot / len(x):.3f} val {vl:.3f} acc {acc:.3f}")


def main():
    torch.manual_seed(0)
    base_kinds, new_kinds = KINDS[:6], KINDS[6:]

    model = Classifier(len(base_kinds))
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    run_epochs(model, make_split(base_kinds, 1200, 1), make_split(base_kinds, 300, 2), opt, 8, 32, "base")

    ckpt = os.path.join(tempfile.mkdtemp(), "backbone.pt")
    torch.save(model.backbone.state_dict(), ckpt)

    # few-shot transfer: only the linear head is fitted on the new shapes
    model = Classifier(len(new_kinds))
    model.backbone.load_state_dict(torch.load(ckpt))
    for p in model.backbone.parameters():
        p.requires_grad_(False)
    opt = torch.optim.Adam(model.head.parameters(), lr=1e-2)
    run_epochs(model, make_split(new_kinds, 240, 3), make_split(new_kinds, 300, 4), opt, 40, 16, "transfer")


if __name__ == "__main__":
    main()
