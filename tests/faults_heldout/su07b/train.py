"""Rating prediction for the shop, settings in settings.ini."""
import configparser
from pathlib import Path

import torch
import torch.nn.functional as F

from recsys.model import HybridRecommender
from recsys.ratings import load
from recsys.stopping import EarlyStopping

ROOT = Path(__file__).resolve().parent


def rmse(model, part):
    model.eval()
    with torch.no_grad():
        return F.mse_loss(model(part.user, part.item), part.rating).sqrt().item()


def main():
    ini = configparser.ConfigParser()
    ini.read(ROOT / "settings.ini")
    d, m, t, e = ini["data"], ini["model"], ini["train"], ini["early_stopping"]
    seed = t.getint("seed")
    torch.manual_seed(seed)

    train, val, test, n_users, n_items = load(
        ROOT / d["file"], d.getfloat("val_share"), d.getfloat("test_share"), seed
    )
    print(f"{n_users} users, {n_items} items, {len(train.rating)} / {len(val.rating)} / {len(test.rating)} ratings")

    model = HybridRecommender(n_users, n_items, m.getint("factors"), m.getint("hidden"), train.rating.mean())
    opt = torch.optim.Adam(model.parameters(), lr=t.getfloat("lr"), weight_decay=t.getfloat("weight_decay"))
    stopper = EarlyStopping(e["monitor"], e["mode"], e.getint("patience"), e.getfloat("min_delta"))

    for epoch in range(1, t.getint("max_epochs") + 1):
        model.train()
        total = 0.0
        for u, i, r in train.batches(t.getint("batch_size")):
            loss = F.mse_loss(model(u, i), r)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(r)
        logs = {"train_rmse": (total / len(train.rating)) ** 0.5, "val_rmse": rmse(model, val)}
        print(f"epoch {epoch:2d}  " + "  ".join(f"{k} {v:.4f}" for k, v in logs.items()))
        if stopper.update(epoch, logs, model):
            print(f"stopped, best {stopper.monitor} {stopper.best:.4f} in epoch {stopper.best_epoch}")
            break

    model.load_state_dict(stopper.weights)
    print(f"test rmse {rmse(model, test):.4f}  (std of ratings {test.rating.std().item():.4f})")


if __name__ == "__main__":
    main()
