import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

seed = 9
np.random.seed(seed)
torch.manual_seed(seed)

# data
digits = load_digits()
X = (digits.images / 16.0).astype("float32")[:, None]
X_train, X_test, y_train, y_test = train_test_split(X, digits.target, test_size=0.25, stratify=digits.target, random_state=seed)
X_train, X_test = torch.from_numpy(X_train), torch.from_numpy(X_test)
members = [np.flatnonzero(y_train == c) for c in range(10)]


def draw_pairs(n):
    left = np.random.randint(0, len(y_train), n)
    same = np.random.rand(n) < 0.5
    right = np.empty(n, dtype=np.int64)
    for k in range(n):
        c = y_train[left[k]]
        if not same[k]:
            c = (c + np.random.randint(1, 10)) % 10
        right[k] = np.random.choice(members[c])
    return X_train[left], X_train[right], torch.from_numpy(same.astype("float32"))


# model
class EmbeddingNet(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.fc = nn.Sequential(nn.Flatten(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, dim))

    def forward(self, x):
        return self.fc(self.conv(x))


def contrastive_loss(a, b, same, margin=1.0):
    dist = torch.sqrt(torch.sum((a - b) ** 2, dim=1))
    pull = same * dist ** 2
    push = (1 - same) * torch.clamp(margin - dist, min=0) ** 2
    return torch.mean(pull + push)


def nearest_neighbour_accuracy(net):
    net.eval()
    with torch.no_grad():
        d = torch.cdist(net(X_test), net(X_train))
    return float((y_train[d.argmin(1).numpy()] == y_test).mean())


net = EmbeddingNet()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)

running = []
for it in range(1, 801):
    net.train()
    a, b, same = draw_pairs(64)
    loss = contrastive_loss(net(a), net(b), same)
    opt.zero_grad()
    loss.backward()
    opt.step()
    running.append(loss.item())
    if it % 100 == 0:
        print("iter %4d  loss %.4f  1-NN accuracy %.3f" % (it, np.mean(running), nearest_neighbour_accuracy(net)))
        running = []
