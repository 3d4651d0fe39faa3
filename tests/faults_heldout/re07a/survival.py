"""Neural Cox proportional hazards on a hospital cohort."""
import numpy as np
import torch
import yaml
from torch import nn

from stopper import BestKeeper


def cox_loss(score, months, event):
    order = torch.argsort(months, descending=True)
    s, e = score[order], event[order]
    return -((s - torch.logcumsumexp(s, 0)) * e).sum() / e.sum().clamp(min=1)


def concordance(score, months, event):
    earlier = (months[:, None] < months[None, :]) & (event[:, None] == 1)
    diff = score[:, None] - score[None, :]
    good = (diff > 0).float() + 0.5 * (diff == 0).float()
    return (good[earlier].mean()).item()


def evaluate(net, part):
    net.eval()
    with torch.no_grad():
        s = net(part["x"]).squeeze(1)
        return {
            "cox": cox_loss(s, part["months"], part["event"]).item(),
            "c_index": concordance(s, part["months"], part["event"]),
        }


def load(path, seed):
    table = np.genfromtxt(path, delimiter=",", names=True)
    feats = np.stack([table[c] for c in ("age", "crp", "albumin", "egfr", "sex", "stage", "bmi")], 1)
    feats[:, 1] = np.log(feats[:, 1] + 0.01)
    order = np.random.default_rng(seed).permutation(len(table))
    cuts = {"train": order[:900], "valid": order[900:1200], "test": order[1200:]}
    m, s = feats[cuts["train"]].mean(0), feats[cuts["train"]].std(0)
    return {
        k: {
            "x": torch.tensor((feats[i] - m) / s, dtype=torch.float32),
            "months": torch.tensor(table["months"][i], dtype=torch.float32),
            "event": torch.tensor(table["event"][i], dtype=torch.float32),
        }
        for k, i in cuts.items()
    }


def main():
    with open("cfg/cox.yaml") as fh:
        cfg = yaml.safe_load(fh)
    torch.manual_seed(cfg["seed"])
    data = load(cfg["cohort"], cfg["seed"])
    tr = data["train"]

    net = nn.Sequential(
        nn.Linear(7, cfg["width"]), nn.ELU(), nn.Dropout(cfg["dropout"]),
        nn.Linear(cfg["width"], cfg["width"]), nn.ELU(), nn.Dropout(cfg["dropout"]),
        nn.Linear(cfg["width"], 1, bias=False),
    )
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    keeper = BestKeeper(net, **cfg["early_stopping"])

    for epoch in range(cfg["max_epochs"]):
        net.train()
        losses = []
        for idx in torch.randperm(len(tr["x"])).split(cfg["batch"]):
            if len(idx) < cfg["batch"]:
                continue
            loss = cox_loss(net(tr["x"][idx]).squeeze(1), tr["months"][idx], tr["event"][idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            losses.append(loss.item())
        metrics = evaluate(net, data["valid"])
        if epoch % cfg["log_every"] == 0:
            print(f"epoch {epoch:3d}  train {np.mean(losses):.4f}  valid cox {metrics['cox']:.4f}  c-index {metrics['c_index']:.4f}")
        if keeper.update(metrics):
            print(f"stopped after epoch {epoch}")
            break

    best = keeper.restore()
    test = evaluate(net, data["test"])
    print(f"best valid {keeper.metric} {best:.4f}; test cox {test['cox']:.4f} c-index {test['c_index']:.4f}")


if __name__ == "__main__":
    main()
