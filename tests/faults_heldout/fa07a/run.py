from pathlib import Path

import torch
import torch.nn.functional as F
import yaml

from citenet.gcn import GCN
from citenet.graph import Graph

ROOT = Path(__file__).parent


def score(logits, y, idx):
    return (logits[idx].argmax(1) == y[idx]).float().mean().item()


def main():
    exp = yaml.safe_load((ROOT / "experiment.yaml").read_text())
    torch.manual_seed(exp["seed"])
    g = Graph(ROOT / exp["data"])
    train, val, test = g.masks["train"], g.masks["val"], g.masks["test"]

    model = GCN(g.x.shape[1], exp["model"]["hidden"], g.n_classes, exp["model"]["dropout"])
    opt = torch.optim.Adam(model.parameters(), lr=exp["optim"]["lr"],
                           weight_decay=exp["optim"]["weight_decay"])
    print(f"{exp['name']}: {len(g.y)} papers, {g.adj._nnz()} links, {g.n_classes} fields")

    for epoch in range(1, exp["epochs"] + 1):
        model.train()
        opt.zero_grad()
        out = model(g.x, g.adj)
        loss = F.cross_entropy(out[train], g.y[train])
        loss.backward()
        opt.step()

        if epoch % exp["log_every"] == 0:
            model.eval()
            with torch.no_grad():
                out = model(g.x, g.adj)
                val_loss = F.cross_entropy(out[val], g.y[val]).item()
            print(f"epoch {epoch:4d} | loss {loss.item():.4f} | val loss {val_loss:.4f} | "
                  f"train {score(out, g.y, train):.3f} | val {score(out, g.y, val):.3f}")
    print(f"test accuracy {score(out, g.y, test):.3f}")


if __name__ == "__main__":
    main()
