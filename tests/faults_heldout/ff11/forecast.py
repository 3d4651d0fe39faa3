import pathlib
import torch
import numpy as np
from tcn import TCN

CONTEXT, HORIZON = 120, 20


def rollout(net, history, steps):
    seq = history
    with torch.no_grad():
        for _ in range(steps):
            seq = torch.cat([seq, net(seq)[:, -1:]], 1)
    return seq[:, -steps:]


def evaluate(net, series):
    net.eval()
    with torch.no_grad():
        one_step = (net(series[:, :-1]) - series[:, 1:])[:, 60:].pow(2).mean().sqrt()
    free = rollout(net, series[:, :CONTEXT], HORIZON)
    rmse = (free - series[:, CONTEXT:CONTEXT + HORIZON]).pow(2).mean().sqrt()
    return one_step.item(), rmse.item()


def main():
    torch.manual_seed(10)
    s = torch.from_numpy(np.load(pathlib.Path(__file__).with_name("series.npy")))
    train, test = s[:120], s[120:]
    net = TCN()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 25)
    persist = (test[:, CONTEXT - 1:CONTEXT] - test[:, CONTEXT:CONTEXT + HORIZON]).pow(2).mean().sqrt().item()
    print(f"series std {s.std().item():.3f}, repeating the last value: rmse {persist:.3f}")
    for epoch in range(25):
        net.train()
        tot = 0.0
        batches = torch.randperm(len(train)).split(20)
        for ix in batches:
            w = train[ix]
            loss = torch.nn.functional.mse_loss(net(w[:, :-1]), w[:, 1:])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item()
        sched.step()
        if (epoch + 1) % 5 == 0:
            a, b = evaluate(net, test)
            print(f"epoch {epoch + 1:2d} | mse {tot / len(batches):.5f} | test one-step rmse {a:.4f} | {HORIZON}-step rollout rmse {b:.4f}")


main()
