import json
import sys

import numpy as np
import torch
from torch import nn

from cox import concordance, partial_likelihood


def read(path):
    with open(path) as fh:
        head = fh.readline().strip().split(",")
        body = np.loadtxt(fh, delimiter=",", dtype=np.float32)
    months, died = body[:, head.index("months")], body[:, head.index("died")]
    keep = [i for i, h in enumerate(head) if h not in ("months", "died")]
    return torch.tensor(body[:, keep]), torch.tensor(months), torch.tensor(died)


def make_net(d):
    return nn.Sequential(
        nn.Linear(d, 48), nn.ReLU(), nn.Dropout(0.2),
        nn.Linear(48, 24), nn.ReLU(), nn.Dropout(0.2),
        nn.Linear(24, 1, bias=False),
    )


def report(net, data):
    x, t, e = data
    net.eval()
    with torch.no_grad():
        r = net(x).squeeze(1)
        return partial_likelihood(r, t, e).item() / np.log(len(t)), concordance(r, t, e)


def fit(opt):
    torch.manual_seed(opt["seed"])
    x, t, e = read(opt["table"])
    xc, tc, ec = read(opt["check"])
    mean, std = x.mean(0), x.std(0)
    x, xc = (x - mean) / std, (xc - mean) / std
    print("patients %d / %d, events %.0f%%" % (len(x), len(xc), 100 * e.mean()))

    net = make_net(x.shape[1])
    adam = torch.optim.AdamW(net.parameters(), lr=opt["lr"], weight_decay=opt["weight_decay"])
    step, window = 0, []
    while step < opt["steps"]:
        perm = torch.randperm(len(x))
        for b in range(0, len(x) - opt["batch"] + 1, opt["batch"]):
            rows = perm[b:b + opt["batch"]]
            net.train()
            adam.zero_grad()
            loss = partial_likelihood(net(x[rows]).squeeze(1), t[rows], e[rows])
            loss.backward()
            adam.step()
            step += 1
            window.append(loss.item())
            if step % opt["report"] == 0:
                nll, ci = report(net, (x, t, e))
                vnll, vci = report(net, (xc, tc, ec))
                print(f"step {step:5d} batch nll {sum(window) / len(window):.3f} | table {nll:.3f} C {ci:.3f} | check {vnll:.3f} C {vci:.3f}")
                window = []
            if step >= opt["steps"]:
                break
    return net


if __name__ == "__main__":
    fit(json.load(open(sys.argv[1] if len(sys.argv) > 1 else "options.json")))
