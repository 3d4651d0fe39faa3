import sys
import tomllib

import torch

from bookrec.factors import BiasedFactors
from bookrec.patience import Keeper
from bookrec.ratings import Ratings


@torch.no_grad()
def score(model, part):
    keys, vals = part
    model.eval()
    err = model(keys).clamp(1, 10) - vals
    model.train()
    return {"rmse": err.pow(2).mean().sqrt().item(), "mae": err.abs().mean().item()}


def main(path):
    with open(path, "rb") as fh:
        cfg = tomllib.load(fh)
    torch.manual_seed(cfg["seed"])
    data = Ratings(cfg["ratings"], cfg["holdout"], cfg["seed"])
    model = BiasedFactors(data.n_users, data.n_books, cfg["model"]["rank"], data.train[1].mean())
    opt = torch.optim.Adam(model.parameters(), lr=cfg["fit"]["lr"])
    keeper = Keeper(**cfg["keep"])
    for epoch in range(cfg["fit"]["max_epochs"]):
        total = n = 0
        for keys, vals in data.batches(cfg["fit"]["batch"]):
            mse = (model(keys) - vals).pow(2).mean()
            loss = mse + cfg["fit"]["reg"] * model.penalty(keys)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, n = total + mse.item() * len(vals), n + len(vals)
        report = score(model, data.valid)
        print(f"epoch {epoch:2d} train mse {total / n:.4f} valid rmse {report['rmse']:.4f} mae {report['mae']:.4f}")
        if keeper.update(report, model):
            break
    model.load_state_dict(keeper.state)
    final = score(model, data.test)
    print(f"test rmse {final['rmse']:.4f} mae {final['mae']:.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "settings.toml")
