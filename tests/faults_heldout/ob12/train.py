import copy
import pathlib

import torch
import torch.nn.functional as F
import yaml

from citegraph import GCN, load_graph

ROOT = pathlib.Path(__file__).resolve().parent


def accuracy(logits, y, index):
    return (logits[index].argmax(1) == y[index]).float().mean().item()


def main():
    cfg = yaml.safe_load((ROOT / "config.yaml").read_text())
    torch.manual_seed(cfg["seed"])
    g = load_graph(ROOT / cfg["data"])
    model = GCN(g.x.shape[1], n_out=int(g.y.max()) + 1, **cfg["model"])
    optimizer = torch.optim.Adam(model.parameters(), **cfg["optimizer"])

    best, best_state = float("inf"), None
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(g.adj, g.x)[g.train], g.y[g.train])
        loss.backward()
        optimizer.step()

        model.eval()
        with torch.no_grad():
            logits = model(g.adj, g.x)
            val_loss = F.cross_entropy(logits[g.val], g.y[g.val]).item()
        if val_loss < best:
            best, best_state = val_loss, copy.deepcopy(model.state_dict())
        if epoch % cfg["log_every"] == 0:
            print(
                f"epoch {epoch:3d}  loss {loss.item():.4f}  val_loss {val_loss:.4f}  "
                f"train_acc {accuracy(logits, g.y, g.train):.3f}  val_acc {accuracy(logits, g.y, g.val):.3f}"
            )

    model.load_state_dict(best_state)
    model.eval()
    with torch.no_grad():
        logits = model(g.adj, g.x)
    print(f"best val loss {best:.4f}, test accuracy {accuracy(logits, g.y, g.test):.3f}")


if __name__ == "__main__":
    main()
