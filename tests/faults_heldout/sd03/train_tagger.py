import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

# Urban sound tagging on log-mel patches. A clip can carry several tags at once.
TAGS = ["engine", "siren", "horn", "speech", "music", "dog", "drill", "rain"]
N_MELS, N_FRAMES = 24, 32
TAG_COUNT_P = [0.25, 0.35, 0.2, 0.12, 0.08]  # number of tags in a clip, from the field recordings
SEED = 1234
EPOCHS = 8
BATCH = 50
LR = 1.5e-3

rng = np.random.default_rng(SEED)
torch.manual_seed(SEED)


def tag_pattern(tag):
    t = np.arange(N_FRAMES)[None, :]
    f = np.arange(N_MELS)[:, None]
    phase = rng.uniform(0, 2 * np.pi)
    if tag == "engine":
        return np.exp(-((f - rng.uniform(1, 3)) ** 2) / 4.0) * (1 + 0.2 * np.sin(t * 1.5 + phase))
    if tag == "siren":
        centre = 14 + 4 * np.sin(2 * np.pi * t / rng.uniform(10, 16) + phase)
        return np.exp(-((f - centre) ** 2) / 1.5)
    if tag == "horn":
        start, length = rng.integers(0, 18), rng.integers(8, 14)
        gate = ((t >= start) & (t < start + length)).astype(float)
        return gate * sum(np.exp(-((f - c) ** 2) / 0.8) for c in (8, 12, 16))
    if tag == "speech":
        env = np.clip(np.sin(t * rng.uniform(0.7, 1.0) + phase), 0, None)
        return env * np.exp(-((f - rng.uniform(5, 8)) ** 2) / 8.0)
    if tag == "music":
        beats = (t % rng.integers(4, 6) == 0).astype(float)
        return beats * (0.5 + 0.5 * (f % 4 == 0))
    if tag == "dog":
        out = np.zeros((N_MELS, N_FRAMES))
        for s in rng.integers(0, 28, size=rng.integers(2, 4)):
            out += np.exp(-((f - 10) ** 2) / 12.0) * np.exp(-np.abs(t - s) / 1.2)
        return out
    if tag == "drill":
        return np.exp(-((f - rng.uniform(18, 20)) ** 2) / 3.0) * (0.6 + 0.4 * (t % 2))
    return 0.45 * np.ones((N_MELS, N_FRAMES)) * (f > 10)


def make_clips(n):
    x = rng.normal(0, 0.35, (n, 1, N_MELS, N_FRAMES))
    y = np.zeros((n, len(TAGS)))
    for i in range(n):
        active = rng.choice(len(TAGS), size=rng.choice(5, p=TAG_COUNT_P), replace=False)
        y[i, active] = 1
        for k in active:
            x[i, 0] += rng.uniform(0.6, 1.2) * tag_pattern(TAGS[k])
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)


train_x, train_y = make_clips(2000)
test_x, test_y = make_clips(500)
mean, std = train_x.mean(), train_x.std()
train_x, test_x = (train_x - mean) / std, (test_x - mean) / std
print("tags per clip: %.2f" % train_y.sum(1).mean().item())


class TagNet(nn.Module):
    def __init__(self, n_tags):
        super().__init__()
        self.c1 = nn.Conv2d(1, 16, 3, padding=1)
        self.b1 = nn.BatchNorm2d(16)
        self.c2 = nn.Conv2d(16, 32, 3, padding=1)
        self.b2 = nn.BatchNorm2d(32)
        self.fc1 = nn.Linear(32 * (N_MELS // 4) * 2, 64)
        self.fc2 = nn.Linear(64, n_tags)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.b1(self.c1(x))), 2)
        x = F.max_pool2d(F.relu(self.b2(self.c2(x))), 2)
        x = torch.cat([x.mean(dim=3), x.amax(dim=3)], dim=1).flatten(1)
        return self.fc2(F.relu(self.fc1(x)))


def f1_scores(logits, target):
    pred = (torch.sigmoid(logits) > 0.5).float()
    tp = (pred * target).sum(0)
    fp = (pred * (1 - target)).sum(0)
    fn = ((1 - pred) * target).sum(0)
    per_tag = 2 * tp / (2 * tp + fp + fn).clamp(min=1)
    micro = 2 * tp.sum() / (2 * tp.sum() + fp.sum() + fn.sum())
    return micro.item(), per_tag


net = TagNet(len(TAGS))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(net.parameters(), lr=LR, weight_decay=1e-3)

for epoch in range(EPOCHS):
    net.train()
    order = torch.randperm(len(train_x))
    total = 0.0
    for start in range(0, len(order), BATCH):
        pick = order[start:start + BATCH]
        loss = criterion(net(train_x[pick]), train_y[pick])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(pick)
    net.eval()
    with torch.no_grad():
        logits = net(test_x)
    micro, per_tag = f1_scores(logits, test_y)
    exact = ((logits > 0).float() == test_y).all(1).float().mean().item()
    print("epoch %2d | loss %.4f | test micro-F1 %.3f | exact match %.3f" % (epoch + 1, total / len(order), micro, exact))

for name, score in zip(TAGS, per_tag.tolist()):
    print("  %-8s F1 %.3f" % (name, score))
