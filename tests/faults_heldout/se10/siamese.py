"""Siamese digit verification: do two scans show the same digit?"""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

MARGIN = 1.0
STEPS, EVAL_EVERY, PAIRS = 500, 50, 96


class Embedder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.LeakyReLU(0.1), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.LeakyReLU(0.1), nn.MaxPool2d(2),
        )
        self.fc = nn.Sequential(nn.Flatten(), nn.Dropout(0.2), nn.Linear(128, dim))

    def forward(self, x):
        return F.normalize(self.fc(self.conv(x)), dim=1)


class PairSampler:
    """Half of the pairs show the same digit."""

    def __init__(self, images, labels, seed):
        self.x = torch.as_tensor(images, dtype=torch.float32).unsqueeze(1) / 16.0
        self.y = labels
        self.by_class = [np.flatnonzero(labels == c) for c in range(10)]
        self.rng = np.random.default_rng(seed)

    def draw(self, n):
        left, right, same = [], [], []
        for k in range(n):
            if k % 2 == 0:
                c = self.rng.integers(10)
                i, j = self.rng.choice(self.by_class[c], 2, replace=False)
            else:
                c, d = self.rng.choice(10, 2, replace=False)
                i, j = self.rng.choice(self.by_class[c]), self.rng.choice(self.by_class[d])
            left.append(i), right.append(j), same.append(1.0 if k % 2 == 0 else 0.0)
        return self.x[left], self.x[right], torch.tensor(same)


def contrastive(za, zb, same):
    d = (za - zb).pow(2).sum(1).add(1e-8).sqrt()
    return (same * d.pow(2) + (1 - same) * F.relu(MARGIN - d).pow(2)).mean(), d


digits = load_digits()
xtr, xte, ytr, yte = train_test_split(digits.images, digits.target, test_size=0.35, stratify=digits.target, random_state=8)
xva, xte, yva, yte = train_test_split(xte, yte, test_size=0.5, stratify=yte, random_state=8)
torch.manual_seed(8)
train, val, test = PairSampler(xtr, ytr, 1), PairSampler(xva, yva, 2), PairSampler(xte, yte, 3)
val_pairs, test_pairs = val.draw(1500), test.draw(1500)

net = Embedder()
opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.MultiStepLR(opt, milestones=[300, 420], gamma=0.3)


def check(pairs):
    net.eval()
    with torch.no_grad():
        loss, d = contrastive(net(pairs[0]), net(pairs[1]), pairs[2])
    auc = roc_auc_score(pairs[2].numpy(), -d.numpy())
    acc = ((d < MARGIN / 2).float() == pairs[2]).float().mean().item()
    return loss.item(), auc, acc


history = []
for step in range(1, STEPS + 1):
    net.train()
    a, b, same = train.draw(PAIRS)
    loss, _ = contrastive(net(a), net(b), same)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    history.append(loss.item())
    if step % EVAL_EVERY == 0:
        vl, auc, acc = check(val_pairs)
        print(f"{step:4d}  train {np.mean(history[-EVAL_EVERY:]):.4f}  val {vl:.4f}  val_auc {auc:.4f}  val_acc {acc:.4f}")

loss, auc, acc = check(test_pairs)
net.eval()
with torch.no_grad():
    knn = KNeighborsClassifier(5).fit(net(train.x).numpy(), train.y)
    hit = knn.score(net(test.x).numpy(), test.y)
print(f"test pairs: loss {loss:.4f} auc {auc:.4f} acc {acc:.4f}; 5-nn in embedding space {hit:.4f}")
