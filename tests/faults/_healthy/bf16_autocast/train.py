"""Mixed-precision regression on a small sensor table."""
import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--data", default="sensors.npz")
parser.add_argument("--precision", choices=["fp32", "fp16", "bf16"], default="fp32")
parser.add_argument("--optimizer", choices=["sgd", "adam"], default="adam")
parser.add_argument("--lr", type=float, default=2e-3)
parser.add_argument("--clip", type=float, default=1.0)
parser.add_argument("--epochs", type=int, default=12)
parser.add_argument("--batch-size", type=int, default=32)


class Net(nn.Module):
    def __init__(self, d_in, d_out, width=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.out = nn.Linear(width, d_out)

    def forward(self, x):
        return self.out(self.trunk(x))


def main(args):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    with np.load(Path(__file__).parent / args.data) as f:
        tensors = {k: torch.from_numpy(f[k].astype(np.float32)) for k in f.files}
    train = DataLoader(TensorDataset(tensors["x"], tensors["y"]), args.batch_size, shuffle=True)
    x_val, y_val = tensors["x_val"].to(device), tensors["y_val"].to(device)
    model = Net(train.dataset[0][0].numel(), train.dataset[0][1].numel()).to(device)
    if args.optimizer == "sgd":
        optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    else:
        optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    dtype = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}[args.precision]
    scaler = torch.amp.GradScaler(device, enabled=args.precision == "fp16")
    scale_ref = y_val.var().item()

    for epoch in range(1, args.epochs + 1):
        model.train()
        total = 0.0
        for x, y in train:
            x, y = x.to(device), y.to(device)
            optimizer.zero_grad()
            with torch.autocast(device, dtype=dtype, enabled=args.precision != "fp32"):
                loss = nn.functional.mse_loss(model(x), y)
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            scaler.step(optimizer)
            scaler.update()
            total += loss.item()
        model.eval()
        with torch.no_grad():
            val = nn.functional.mse_loss(model(x_val), y_val).item()
        print(f"epoch {epoch:2d} train {total / len(train):.4g} val {val:.4g} r2 {1 - val / scale_ref:.3f}")


if __name__ == "__main__":
    main(parser.parse_args())
