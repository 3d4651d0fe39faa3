import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from recsys.config import TrainConfig
from recsys.dataset import RatingTable
from recsys.model import BiasedMF


@torch.no_grad()
def rmse(model, table):
    model.eval()
    pred = model(table.users, table.items).clamp(1, 5)
    return F.mse_loss(pred, table.stars).sqrt().item()


def run(cfg: TrainConfig):
    torch.manual_seed(cfg.seed)
    torch.set_num_threads(1)
    train = RatingTable(cfg.data.root / "train.csv")
    valid = RatingTable(cfg.data.root / "valid.csv")
    test = RatingTable(cfg.data.root / "test.csv")
    n_users = 1 + max(int(t.users.max()) for t in (train, valid, test))
    n_items = 1 + max(int(t.items.max()) for t in (train, valid, test))
    print(f"{n_users} users  {n_items} items  ratings {len(train)}/{len(valid)}/{len(test)}")

    loader = DataLoader(train, batch_size=cfg.data.batch_size, shuffle=True)
    model = BiasedMF(n_users, n_items, cfg.model, train.stars.mean())
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs)

    for epoch in range(cfg.epochs):
        model.train()
        sq_err, seen = 0.0, 0
        for u, i, r in loader:
            mse = F.mse_loss(model(u, i), r)
            loss = mse + cfg.l2 * model.penalty(u, i)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sq_err += mse.item() * len(r)
            seen += len(r)
        sched.step()
        print(f"epoch {epoch:2d} | train rmse {(sq_err / seen) ** 0.5:.4f} | valid rmse {rmse(model, valid):.4f}")
    print(f"test rmse {rmse(model, test):.4f}")


if __name__ == "__main__":
    run(TrainConfig())
