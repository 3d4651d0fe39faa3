import argparse
import math

import numpy as np
import torch
import torch.nn.functional as F
import yaml
from torch.utils.data import DataLoader

from forecast.frame import ColumnScaler, Frame, Windows, clock_features
from forecast.net import LoadGRU


def evaluate(net, loader):
    net.eval()
    se, n = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            se += F.mse_loss(net(x), y, reduction="sum").item()
            n += len(y)
    net.train()
    return se / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-c", "--conf", default="substation.yaml")
    conf = yaml.safe_load(open(ap.parse_args().conf))
    torch.manual_seed(conf["seed"])

    frame = Frame(conf["csv"])
    n_train = int(len(frame) * conf["train_share"])
    scaler = ColumnScaler(conf["scale"]).fit(frame, n_train)
    table = np.concatenate([scaler.apply(frame), clock_features(frame.stamps)], axis=1)
    target = frame.index(conf["target"])
    unit = scaler.std_of(conf["target"])

    span = conf["span"]
    train = DataLoader(Windows(table, target, span, 0, n_train), batch_size=conf["batch"], shuffle=True, drop_last=True)
    valid = DataLoader(Windows(table, target, span, n_train, len(frame)), batch_size=256)

    net = LoadGRU(table.shape[1], conf["hidden"], conf["dropout"])
    opt = torch.optim.Adam(net.parameters(), lr=conf["lr"])
    sched = torch.optim.lr_scheduler.OneCycleLR(
        opt, max_lr=conf["lr"], epochs=conf["epochs"], steps_per_epoch=len(train), pct_start=0.15
    )
    for epoch in range(1, conf["epochs"] + 1):
        losses = []
        for x, y in train:
            opt.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            sched.step()
            losses.append(loss.item())
        mse = evaluate(net, valid)
        print(f"epoch {epoch:2d}: mse {np.mean(losses):.4f}  valid mse {mse:.4f}  valid rmse {math.sqrt(mse) * unit:.1f} MW")


if __name__ == "__main__":
    main()
