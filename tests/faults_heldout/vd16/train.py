import copy
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits

from lion import Lion
from nets import student, teacher

TEMPERATURE = 4.0
ALPHA = 0.8
EPOCHS = 50
AVERAGE_FROM = 35


def load_split():
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32).unsqueeze(1) / 16
    y = torch.tensor(d.target)
    perm = torch.from_numpy(np.random.default_rng(16).permutation(len(y)))
    tr, te = perm[:1300], perm[1300:]
    return x[tr], y[tr], x[te], y[te]


def kd_loss(s_logits, t_logits, y):
    soft = F.kl_div(F.log_softmax(s_logits / TEMPERATURE, 1), F.log_softmax(t_logits / TEMPERATURE, 1),
                    reduction="batchmean", log_target=True) * TEMPERATURE ** 2
    return ALPHA * soft + (1 - ALPHA) * F.cross_entropy(s_logits, y)


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


torch.manual_seed(42)
x, y, x_te, y_te = load_split()
big = teacher()
big.load_state_dict(torch.load(Path(__file__).parent / "teacher.pt", weights_only=True))
big.eval()
for p in big.parameters():
    p.requires_grad_(False)
small = student()
n_big, n_small = (sum(p.numel() for p in m.parameters()) for m in (big, small))
print(f"teacher {n_big} params, test acc {accuracy(big, x_te, y_te):.4f}; student {n_small} params")

opt = Lion(small.parameters(), lr=2e-3, weight_decay=0.05)
averaged, n_avg = copy.deepcopy(small), 0
for epoch in range(EPOCHS):
    small.train()
    opt.lr = 2e-3 if epoch < 25 else 5e-4
    total = 0.0
    for idx in torch.randperm(len(y)).split(50):
        with torch.no_grad():
            target = big(x[idx])
        loss = kd_loss(small(x[idx]), target, y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    if epoch >= AVERAGE_FROM:
        n_avg += 1
        with torch.no_grad():
            for a, p in zip(averaged.parameters(), small.parameters()):
                a.add_((p - a) / n_avg)
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1:2d} kd loss {total / len(y):.4f} student test acc {accuracy(small, x_te, y_te):.4f}")
print(f"averaged student test acc {accuracy(averaged, x_te, y_te):.4f}")
