"""Suggests topic tags for short support tickets (a ticket may carry several tags or none)."""
from types import SimpleNamespace

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import f1_score

cfg = SimpleNamespace(task="multilabel", hidden=96, lr=2e-3, batch=50, epochs=20, n_words=300, n_tags=12)

LOSSES = {
    "binary": nn.BCEWithLogitsLoss(),
    "multi_label": nn.BCEWithLogitsLoss(),
    "regression": nn.SmoothL1Loss(),
}


def tickets(n, rng, topics):
    y = (rng.random((n, cfg.n_tags)) < 0.18).astype(np.float32)
    x = np.zeros((n, cfg.n_words), np.float32)
    for k in range(n):
        mix = 0.5 * np.full(cfg.n_words, 1 / cfg.n_words)
        on = np.flatnonzero(y[k])
        if len(on):
            mix = mix + 0.5 * topics[on].mean(0)
        x[k] = rng.multinomial(40 + 10 * len(on), mix / mix.sum())
    return torch.from_numpy(np.log1p(x)), torch.from_numpy(y)


rng = np.random.default_rng(77)
topics = rng.dirichlet(np.full(cfg.n_words, 0.05), size=cfg.n_tags)
x_train, y_train = tickets(3000, rng, topics)
x_test, y_test = tickets(800, rng, topics)

torch.manual_seed(77)
model = nn.Sequential(nn.Linear(cfg.n_words, cfg.hidden), nn.ReLU(), nn.Dropout(0.3), nn.Linear(cfg.hidden, cfg.n_tags))
criterion = LOSSES.get(cfg.task, nn.CrossEntropyLoss())
optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=0.01)


def report():
    model.eval()
    with torch.no_grad():
        pred = (model(x_test).sigmoid() > 0.5).float()
    model.train()
    return (f1_score(y_test.numpy(), pred.numpy(), average="micro", zero_division=0),
            f1_score(y_test.numpy(), pred.numpy(), average="macro", zero_division=0))


for epoch in range(cfg.epochs):
    losses = []
    for idx in torch.randperm(len(x_train)).split(cfg.batch):
        loss = criterion(model(x_train[idx]), y_train[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    micro, macro = report()
    if epoch % 3 == 0 or epoch == cfg.epochs - 1:
        print(f"epoch {epoch:2d} loss {np.mean(losses):.4f} f1 micro {micro:.3f} macro {macro:.3f}")
