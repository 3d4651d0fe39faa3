"""k-fold estimate of the tumour classifier, mean and spread over the folds."""
import json
import statistics

import torch
import torch.nn.functional as F
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from network import mlp

with open("settings.json") as fh:
    cfg = json.load(fh)


def reset_weights(model):
    """Fresh copy of the same architecture, so that no fold sees another fold's weights."""
    return mlp(model[0].in_features, cfg["hidden"], model[-1].out_features)


def run_epoch(model, optimizer, x, y):
    model.train()
    order = torch.randperm(len(x))
    losses = []
    for idx in order.split(cfg["batch_size"]):
        loss = F.cross_entropy(model(x[idx]), y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    out = model(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(cfg["seed"])
    features, target = load_breast_cancer(return_X_y=True)
    skf = StratifiedKFold(cfg["folds"], shuffle=True, random_state=cfg["seed"])

    model = mlp(features.shape[1], cfg["hidden"], 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"],
                                 weight_decay=cfg["weight_decay"])
    scores = []
    for fold, (tr, te) in enumerate(skf.split(features, target)):
        model = reset_weights(model)
        scaler = StandardScaler().fit(features[tr])
        xtr = torch.tensor(scaler.transform(features[tr]), dtype=torch.float32)
        xte = torch.tensor(scaler.transform(features[te]), dtype=torch.float32)
        ytr, yte = torch.tensor(target[tr]), torch.tensor(target[te])
        for epoch in range(cfg["epochs"]):
            train_loss = run_epoch(model, optimizer, xtr, ytr)
            if epoch % 4 == 3:
                vl, va = evaluate(model, xte, yte)
                print(f"fold {fold} epoch {epoch + 1:3d} train {train_loss:.4f} val {vl:.4f} acc {va:.3f}")
        scores.append(evaluate(model, xte, yte)[1])
    print(f"accuracy {statistics.mean(scores):.4f} +- {statistics.stdev(scores):.4f}")


if __name__ == "__main__":
    main()
