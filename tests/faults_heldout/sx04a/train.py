import configparser
import sys
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from data import make_records
from net import FlowRNN


def fit(model, loader, test, cfg):
    sec = cfg["train"]
    opt = torch.optim.SGD(model.parameters(), lr=sec.getfloat("lr"), momentum=sec.getfloat("momentum"))
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, sec.getint("epochs"))
    max_norm = sec.getfloat("max_norm")
    mse = nn.MSELoss()
    for epoch in range(1, sec.getint("epochs") + 1):
        model.train()
        total = 0.0
        for x, y in loader:
            loss = mse(model(x), y)
            opt.zero_grad()
            loss.backward()
            if max_norm > 0:
                nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            opt.step()
            total += loss.item() * len(y)
        sched.step()
        model.eval()
        with torch.no_grad():
            xs, ys = test.tensors
            test_mse = mse(model(xs), ys).item()
        print(f"epoch {epoch:02d} train mse {total / len(loader.dataset):.4f} test mse {test_mse:.4f} "
              f"(variance of target {ys.var().item():.3f})")


def main():
    cfg = configparser.ConfigParser()
    cfg.read(Path(__file__).parent / (sys.argv[1] if len(sys.argv) > 1 else "flow.ini"))
    run = cfg["run"]
    torch.manual_seed(run.getint("seed"))
    train = make_records(run.getint("records"), run.getint("length"), seed=101)
    test = make_records(400, run.getint("length"), seed=202)
    loader = DataLoader(train, batch_size=cfg["train"].getint("batch_size"), shuffle=True)
    fit(FlowRNN(run.getint("hidden")), loader, test, cfg)


if __name__ == "__main__":
    main()
