import argparse
import configparser
from pathlib import Path

import torch
from sklearn.metrics import average_precision_score, recall_score, precision_score
from torch.utils.data import DataLoader, TensorDataset

from fraud.classifier import FocalLoss, FraudNet
from fraud.payments import split


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="base.ini")
    cfg = configparser.ConfigParser()
    cfg.read(Path(__file__).parent / ap.parse_args().config)
    t = cfg["train"]
    seed = cfg.getint("data", "seed")
    torch.manual_seed(seed)
    (xt, yt), (xv, yv) = split(cfg.getint("data", "rows"), seed)

    epochs, k = t.getint("epochs"), t.getint("accumulate")
    loader = DataLoader(TensorDataset(xt, yt), batch_size=t.getint("batch_size"), shuffle=True, drop_last=True)
    updates = len(loader) // k
    net = FraudNet(xt.shape[1], t.getfloat("dropout"))
    loss_fn = FocalLoss(pos_weight=(yt == 0).sum() / (yt == 1).sum(), gamma=t.getfloat("gamma"))
    opt = torch.optim.SGD(net.parameters(), lr=t.getfloat("max_lr") / 25, momentum=t.getfloat("momentum"), weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, t.getfloat("max_lr"), total_steps=epochs * updates)

    for epoch in range(epochs):
        net.train()
        total = 0.0
        opt.zero_grad()
        for i, (x, y) in enumerate(loader):
            if i >= updates * k:
                break
            loss = loss_fn(net(x), y)
            (loss / k).backward()
            total += loss.item()
            if (i + 1) % k == 0:
                opt.step()
                sched.step()
                opt.zero_grad()
        net.eval()
        with torch.no_grad():
            logit = net(xv)
            vloss = loss_fn(logit, yv).item()
        ap_score = average_precision_score(yv, logit)
        flag = (logit > 1.0).float()
        if epoch % 3 == 0 or epoch == epochs - 1:
            print(f"epoch {epoch + 1:2d}  loss {total / (updates * k):.4f}  val loss {vloss:.4f}  AP {ap_score:.3f}  "
                  f"recall {recall_score(yv, flag):.2f}  precision {precision_score(yv, flag, zero_division=0):.2f}")


if __name__ == "__main__":
    main()
