from pathlib import Path

import torch
import yaml
from sklearn.metrics import roc_auc_score
from torch import nn

from callbacks import EarlyStopping
from table import read_table


def mlp(n_in, hidden, dropout):
    layers = []
    for width in hidden:
        layers += [nn.Linear(n_in, width), nn.GELU(), nn.Dropout(dropout)]
        n_in = width
    layers.append(nn.Linear(n_in, 1))
    return nn.Sequential(*layers)


def score(model, x, y):
    model.eval()
    with torch.no_grad():
        logit = model(x).squeeze(1)
    loss = nn.functional.binary_cross_entropy_with_logits(logit, y).item()
    return {"valid_loss": loss, "valid_auc": roc_auc_score(y.numpy(), logit.numpy())}


def main():
    cfg = yaml.safe_load((Path(__file__).parent / "config.yaml").read_text())
    torch.manual_seed(cfg["seed"])
    (xtr, ytr), (xva, yva) = read_table(cfg["data"], cfg["seed"])
    model = mlp(xtr.shape[1], cfg["model"]["hidden"], cfg["model"]["dropout"])
    optim = torch.optim.AdamW(model.parameters(), lr=cfg["optim"]["lr"], weight_decay=cfg["optim"]["weight_decay"])
    stopper = EarlyStopping(**cfg["early_stopping"])
    criterion = nn.BCEWithLogitsLoss()

    for epoch in range(cfg["optim"]["max_epochs"]):
        model.train()
        losses = []
        for idx in torch.randperm(len(xtr)).split(cfg["data"]["batch_size"]):
            optim.zero_grad()
            loss = criterion(model(xtr[idx]).squeeze(1), ytr[idx])
            loss.backward()
            optim.step()
            losses.append(loss.item())
        logs = {"train_loss": sum(losses) / len(losses), **score(model, xva, yva)}
        print(f"epoch {epoch:02d} " + " ".join(f"{k}={v:.4f}" for k, v in logs.items()))
        if stopper.update(epoch, logs, model):
            print(f"early stop, best epoch {stopper.best_epoch}")
            break

    stopper.restore(model)
    final = score(model, xva, yva)
    print(f"restored epoch {stopper.best_epoch}: auc {final['valid_auc']:.4f} loss {final['valid_loss']:.4f}")


if __name__ == "__main__":
    main()
