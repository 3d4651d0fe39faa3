import argparse
from pathlib import Path

import torch

from learner import Learner
from tables import read_table


def main():
    p = argparse.ArgumentParser(description="soil type from field measurements")
    p.add_argument("--csv", type=Path, default=Path(__file__).parent / "plots.csv")
    p.add_argument("--target", default="soil_type")
    p.add_argument("--epochs", type=int, default=30)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--seed", type=int, default=4)
    a = p.parse_args()

    torch.manual_seed(a.seed)
    table = read_table(a.csv, a.target, seed=a.seed)
    print(f"train {len(table.y_train)} plots, test {len(table.y_test)} plots")
    learner = Learner(table, a.lr, a.batch_size)
    for epoch in range(1, a.epochs + 1):
        loss = learner.run_epoch()
        if epoch % 3 == 0:
            acc = learner.accuracy(table.x_test, table.y_test)
            print(f"epoch {epoch:3d} | loss {loss:.4f} | soil types right {acc:.1%}")


if __name__ == "__main__":
    main()
