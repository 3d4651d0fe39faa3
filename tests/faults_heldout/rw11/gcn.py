"""Semi-supervised labelling of papers in a citation graph, plain tensors and autograd only."""
import copy
import math

import numpy as np
import torch
import torch.nn.functional as F

HIDDEN, DROP, LR, DECAY, EPOCHS, PATIENCE = 32, 0.5, 0.01, 5e-4, 400, 60


def read(path):
    f = np.load(path)
    words = torch.from_numpy(np.unpackbits(f["words"], axis=1)[:, :60].astype(np.float32))
    words = words / words.sum(1, keepdim=True).clamp(min=1)
    area = torch.from_numpy(f["area"].astype(np.int64))
    links = torch.from_numpy(f["links"].astype(np.int64)).T
    return words, area, links


def normalised_adjacency(links, n):
    loops = torch.arange(n).repeat(2, 1)
    index = torch.cat([links, links.flip(0), loops], dim=1)
    degree = torch.bincount(index[0], minlength=n).float()
    weight = degree[index[0]].rsqrt() * degree[index[1]].rsqrt()
    return torch.sparse_coo_tensor(index, weight, (n, n)).coalesce()


def glorot(rows, cols):
    bound = math.sqrt(6 / (rows + cols))
    return torch.empty(rows, cols).uniform_(-bound, bound).requires_grad_()


def forward(theta, adj, x, training):
    w0, b0, w1, b1 = theta
    x = F.dropout(x, DROP, training)
    h = F.relu(torch.sparse.mm(adj, x @ w0) + b0)
    h = F.dropout(h, DROP, training)
    return torch.sparse.mm(adj, h @ w1) + b1


def report(logits, area, rows):
    return F.cross_entropy(logits[rows], area[rows]).item(), (logits[rows].argmax(1) == area[rows]).float().mean().item()


def main():
    torch.manual_seed(13)
    words, area, links = read("papers.npz")
    n, k = len(area), int(area.max()) + 1
    adj = normalised_adjacency(links, n)
    train, valid, test = torch.randperm(n).split([500, 300, 400])

    theta = [glorot(words.shape[1], HIDDEN), torch.zeros(HIDDEN, requires_grad=True),
             glorot(HIDDEN, k), torch.zeros(k, requires_grad=True)]
    optimizer = torch.optim.Adam([{"params": theta[:2], "weight_decay": DECAY}, {"params": theta[2:]}], lr=LR)

    best, best_theta, waited = math.inf, None, 0
    for epoch in range(1, EPOCHS + 1):
        logits = forward(theta, adj, words, training=True)
        loss = F.cross_entropy(logits[train], area[train])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        with torch.no_grad():
            val_loss, val_acc = report(forward(theta, adj, words, training=False), area, valid)
        if val_loss < best:
            best, best_theta, waited = val_loss, copy.deepcopy(theta), 0
        else:
            waited += 1
            if waited > PATIENCE:
                print(f"no better validation loss since epoch {epoch - waited}")
                break
        if epoch % 20 == 0:
            print(f"{epoch:4d}  train {loss.item():.4f}  valid {val_loss:.4f} / {val_acc:.3f}")

    with torch.no_grad():
        test_loss, test_acc = report(forward(best_theta, adj, words, training=False), area, test)
    print(f"test loss {test_loss:.4f}, accuracy {test_acc:.3f}")


if __name__ == "__main__":
    main()
