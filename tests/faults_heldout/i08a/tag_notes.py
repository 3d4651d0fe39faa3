# Assigns the topic tags of support notes; a note can carry any number of tags.
import json
import os

import numpy as np
import torch

os.chdir(os.path.dirname(os.path.abspath(__file__)))
P = json.load(open("params.json"))
torch.manual_seed(P["seed"])

LOSSES = {
    "bce": torch.nn.BCEWithLogitsLoss,
    "cross_entropy": torch.nn.CrossEntropyLoss,
    "soft_margin": torch.nn.MultiLabelSoftMarginLoss,
    "mse": torch.nn.MSELoss,
}


def load(path):
    z = np.load(path)
    return z["counts"].astype(np.float32), z["tags"].astype(np.float32)


counts, tags = load(P["train"])
counts_test, tags_test = load(P["test"])
idf = np.log((1 + len(counts)) / (1 + (counts > 0).sum(0))) + 1


def featurize(c):
    if not P["tfidf"]:
        return torch.from_numpy(np.log1p(c))
    f = np.log1p(c) * idf
    f = f / np.linalg.norm(f, axis=1, keepdims=True).clip(1e-6)
    return torch.from_numpy(f.astype(np.float32) * 5)


X, Y = featurize(counts), torch.from_numpy(tags)
Xt, Yt = featurize(counts_test), torch.from_numpy(tags_test)
print("notes:", len(X), "tags per note: %.2f" % Y.sum(1).mean().item())

net = torch.nn.Sequential(
    torch.nn.Linear(X.shape[1], P["hidden"]),
    torch.nn.ReLU(),
    torch.nn.Dropout(P["dropout"]),
    torch.nn.Linear(P["hidden"], Y.shape[1]),
)
criterion = LOSSES[P["loss"]]()
opt = torch.optim.AdamW(net.parameters(), **P["optimizer"])


def report():
    net.eval()
    with torch.no_grad():
        logits = net(Xt)
        loss = criterion(logits, Yt).item()
        pred = (logits.sigmoid() > P["threshold"]).float()
    net.train()
    tp = (pred * Yt).sum().item()
    prec = tp / max(pred.sum().item(), 1)
    rec = tp / Yt.sum().item()
    return loss, prec, rec, 2 * prec * rec / max(prec + rec, 1e-9)


for epoch in range(P["epochs"]):
    mean = 0.0
    for idx in torch.randperm(len(X)).split(P["batch_size"]):
        opt.zero_grad()
        loss = criterion(net(X[idx]), Y[idx])
        loss.backward()
        opt.step()
        mean += loss.item() * len(idx) / len(X)
    print("%2d  train %.4f  test %.4f  P %.3f  R %.3f  F1 %.3f" % ((epoch, mean) + report()))
