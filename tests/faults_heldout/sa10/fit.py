import time
from pathlib import Path

import torch
from torch.utils.data import DataLoader, TensorDataset

from recsys.factorization import BiasedMF
from recsys.ratings import read_ratings

PARAMS = dict(dim=8, lr=0.015, weight_decay=1e-5, batch=256, epochs=9, seed=2024)


def rmse(model, u, i, r):
    model.eval()
    with torch.no_grad():
        err = model(u, i).clamp(0.5, 5.0) - r
    model.train()
    return err.pow(2).mean().sqrt().item()


def main():
    torch.manual_seed(PARAMS["seed"])
    train, val, n_users, n_items = read_ratings(Path(__file__).parent / "ratings.csv", 0.15, PARAMS["seed"])
    loader = DataLoader(TensorDataset(*train), batch_size=PARAMS["batch"], shuffle=True)
    model = BiasedMF(n_users, n_items, PARAMS["dim"], mean=train[2].mean().item())
    opt = torch.optim.Adam(model.parameters(), lr=PARAMS["lr"], weight_decay=PARAMS["weight_decay"])
    baseline = (val[2] - train[2].mean()).pow(2).mean().sqrt().item()
    print(f"{n_users} users x {n_items} items, global-mean rmse {baseline:.4f}")

    for epoch in range(PARAMS["epochs"]):
        started = time.perf_counter()
        squared, count = 0.0, 0
        for u, i, r in loader:
            fit_term = (model(u, i) - r).pow(2).mean()
            loss = fit_term + model.penalty(i)
            opt.zero_grad()
            loss.backward(retain_graph=True)
            opt.step()
            squared += fit_term.item() * len(r)
            count += len(r)
        print(f"epoch {epoch + 1:2d}  train rmse {(squared / count) ** 0.5:.4f}  val rmse {rmse(model, *val):.4f}  "
              f"{1e3 * (time.perf_counter() - started) / len(loader):.2f} ms/step", flush=True)


if __name__ == "__main__":
    main()
