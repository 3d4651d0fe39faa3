"""Weekly refresh of the rating ranker, continued from a stored state."""
import torch
import torch.nn.functional as F

from recsys.data import Interactions
from recsys.session import Session
from recsys.settings import Settings


@torch.no_grad()
def rmse(model, triple):
    model.eval()
    user, item, rating = triple
    return F.mse_loss(model(user, item).clamp(1, 5), rating).sqrt().item()


def main():
    cfg = Settings()
    torch.manual_seed(cfg.seed)
    data = Interactions(cfg.interactions, cfg.seed)
    session = Session(cfg, data.n_users, data.n_items)
    tag = session.resume(cfg.resume)
    print(f"continuing from '{tag}': {data.n_users} users, {data.n_items} items, {len(data.train[0])} ratings")
    print(f"before refresh: valid rmse {rmse(session.model, data.valid):.4f}")

    for epoch in range(cfg.epochs):
        session.model.train()
        losses = []
        for user, item, rating in data.batches(cfg.batch_size):
            loss = F.mse_loss(session.model(user, item), rating)
            session.step(loss)
            losses.append(loss.item())
        print(
            f"epoch {epoch:2d}: train mse {sum(losses) / len(losses):.4f}  "
            f"valid rmse {rmse(session.model, data.valid):.4f}"
        )


if __name__ == "__main__":
    main()
