# fine-tune the digit encoder on the small rotated set from the new scanner
import os

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits

from net import Classifier

ROOT = os.path.dirname(os.path.abspath(__file__))
SHOTS, EPOCHS, BS = 12, 40, 20


def scanner_data():
    digits = load_digits()
    img = digits.images.astype(np.float32) / 16.0
    img = np.rot90(img, k=1, axes=(1, 2)).copy()      # scanner is mounted sideways
    lab = digits.target
    rng = np.random.RandomState(5)
    perm = rng.permutation(np.arange(900, len(img)))
    tr = np.concatenate([[i for i in perm if lab[i] == c][:SHOTS] for c in range(10)])
    te = np.setdiff1d(perm, tr)
    t = lambda a: torch.as_tensor(a)
    return t(img[tr])[:, None], t(lab[tr]).long(), t(img[te])[:, None], t(lab[te]).long()


def build():
    model = Classifier(10)
    state = torch.load(os.path.join(ROOT, "encoder.pt"), map_location="cpu")
    # the head has another label set, so keep only what fits
    state = {k: v for k, v in state.items() if not k.startswith("head")}
    model.load_state_dict(state, strict=False)
    return model


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        logits = model(x)
    model.train()
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def run():
    torch.manual_seed(0)
    xtr, ytr, xte, yte = scanner_data()
    model = build()
    optimizer = torch.optim.Adam([
        {"params": model.encoder.parameters(), "lr": 5e-5},
        {"params": model.head.parameters(), "lr": 3e-3},
    ])
    for ep in range(EPOCHS):
        order = torch.randperm(len(xtr))
        ep_loss = 0.0
        for idx in order.split(BS):
            loss = F.cross_entropy(model(xtr[idx]), ytr[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            ep_loss += loss.item() * len(idx)
        if ep % 5 == 4:
            tl, ta = accuracy(model, xte, yte)
            print(f"[{ep + 1:02d}] train {ep_loss / len(xtr):.4f}  test {tl:.4f}  acc {ta:.4f}")
    torch.save(model.state_dict(), os.path.join("/tmp", "scanner_model.pt"))


if __name__ == "__main__":
    run()
