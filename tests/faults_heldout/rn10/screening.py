import numpy as np
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from torch import nn


def init_weights(model, prior):
    """Xavier weights; bias set to the prior log-odds so the first predictions match the base rate."""
    for m in model.modules():
        if isinstance(m, nn.Linear):
            nn.init.xavier_uniform_(m.weight)
            nn.init.constant_(m.bias, -float(np.log((1 - prior) / prior)))


def make_model(n_in):
    return nn.Sequential(
        nn.Linear(n_in, 64), nn.ReLU(),
        nn.Linear(64, 32), nn.ReLU(),
        nn.Linear(32, 1),
    )


def main():
    rng = np.random.default_rng(55)
    torch.manual_seed(55)
    data = load_breast_cancer()
    x, y = data.data, 1 - data.target  # 1 = malignant
    # screening population: keep a small share of the malignant cases
    mal = rng.permutation(np.where(y == 1)[0])[:50]
    keep = rng.permutation(np.concatenate([np.where(y == 0)[0], mal]))
    x, y = x[keep], y[keep]
    n_tr = int(0.7 * len(x))
    mu, sd = x[:n_tr].mean(0), x[:n_tr].std(0)
    x = torch.tensor((x - mu) / sd, dtype=torch.float32)
    y = torch.tensor(y, dtype=torch.float32)

    model = make_model(x.shape[1])
    init_weights(model, prior=y[:n_tr].mean().item())
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    loss_fn = nn.BCEWithLogitsLoss()

    for epoch in range(16):
        model.train()
        run = 0.0
        for idx in torch.randperm(n_tr).split(16):
            opt.zero_grad()
            loss = loss_fn(model(x[idx]).squeeze(1), y[idx])
            loss.backward()
            opt.step()
            run += loss.item() * len(idx)
        if epoch % 4 == 3:
            model.eval()
            with torch.no_grad():
                s = model(x[n_tr:]).squeeze(1)
            print(f"epoch {epoch + 1} train {run / n_tr:.4f} val {loss_fn(s, y[n_tr:]).item():.4f} auc {roc_auc_score(y[n_tr:].numpy(), s.numpy()):.3f}")


if __name__ == "__main__":
    main()
