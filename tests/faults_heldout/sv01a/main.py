import argparse
from pathlib import Path

import torch

from cells.data import build
from cells.fit import Fitter, score
from cells.model import GradeNet

if __name__ == "__main__":
    cli = argparse.ArgumentParser(description="Ageing grade of lithium cells from impedance spectra")
    cli.add_argument("--data", type=Path, default=Path(__file__).parent)
    cli.add_argument("--epochs", type=int, default=14)
    cli.add_argument("--seed", type=int, default=4)
    args = cli.parse_args()

    torch.manual_seed(args.seed)
    table, sets = build(args.data)
    print("cells: " + ", ".join(f"{k} {len(v)}" for k, v in sets.items()))

    model = GradeNet(sets["train"].x.shape[1], table.n_grades)
    Fitter(model, sets, epochs=args.epochs).run()
    for name in ("train", "valid", "test"):
        ce, acc = score(model, sets[name])
        print(f"{name:>5}: ce {ce:.3f}  acc {acc:.3f}")
