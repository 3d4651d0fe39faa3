"""Two-layer graph convolution for paper topics (Kipf & Welling style), plain torch.sparse."""
import pathlib

import numpy as np
import torch
import torch.nn.functional as F

HIDDEN, DROP, LR, L2, EPOCHS = 32, 0.5, 0.01, 5e-4, 360


def normalised_adjacency(src, dst, n):
    i = np.concatenate([src, dst, np.arange(n)])
    j = np.concatenate([dst, src, np.arange(n)])
    deg = np.bincount(i, minlength=n).astype(np.float32)
    val = 1.0 / np.sqrt(deg[i] * deg[j])
    return torch.sparse_coo_tensor(np.stack([i, j]), torch.from_numpy(val), (n, n)).coalesce()


def glorot(a, b):
    lim = (6.0 / (a + b)) ** 0.5
    return torch.empty(a, b).uniform_(-lim, lim).requires_grad_()


def init_params(n_in, n_out):
    return {"w0": glorot(n_in, HIDDEN), "b0": torch.zeros(HIDDEN, requires_grad=True),
            "w1": glorot(HIDDEN, n_out), "b1": torch.zeros(n_out, requires_grad=True)}


def forward(theta, A, X, training):
    h = F.dropout(X, DROP, training)
    h = torch.sparse.mm(A, h @ theta["w0"]) + theta["b0"]
    h = F.dropout(F.relu(h), DROP, training)
    return torch.sparse.mm(A, h @ theta["w1"]) + theta["b1"]


def accuracy(logits, y, idx):
    return (logits[idx].argmax(1) == y[idx]).float().mean().item()


def main():
    torch.manual_seed(2)
    z = np.load(pathlib.Path(__file__).with_name("citations.npz"))
    X = torch.from_numpy(z["words"].astype(np.float32))
    X = X / X.sum(1, keepdim=True).clamp(min=1)
    y = torch.from_numpy(z["topic"])
    A = normalised_adjacency(z["src"], z["dst"], len(y))
    tr, va, te = (torch.from_numpy(z[k]) for k in ("train", "val", "test"))
    print("nodes", len(y), "edges", len(z["src"]), "labelled", len(tr))

    theta = init_params(X.shape[1], int(y.max()) + 1)
    opt = torch.optim.Adam([{"params": [theta["w0"], theta["b0"]], "weight_decay": L2},
                            {"params": [theta["w1"], theta["b1"]], "weight_decay": 0.0}], lr=LR)
    best = (0.0, None)
    for epoch in range(EPOCHS):
        opt.zero_grad()
        loss = F.cross_entropy(forward(theta, A, X, True)[tr], y[tr])
        loss.backward()
        opt.step()
        with torch.no_grad():
            logits = forward(theta, A, X, False)
        v = accuracy(logits, y, va)
        if v > best[0]:
            best = (v, {k: t.detach().clone() for k, t in theta.items()})
        if epoch % 20 == 0 or epoch == EPOCHS - 1:
            vl = F.cross_entropy(logits[va], y[va]).item()
            print(f"{epoch:4d}  loss {loss.item():.4f}  train {accuracy(logits, y, tr):.3f}  val_loss {vl:.4f}  val {v:.3f}")

    with torch.no_grad():
        logits = forward(best[1], A, X, False)
    print(f"selected by val ({best[0]:.3f}); test accuracy {accuracy(logits, y, te):.3f}")


if __name__ == "__main__":
    main()
