import argparse
import copy
import csv
from pathlib import Path

import torch

from survival.cox import concordance, neg_partial_log_likelihood
from survival.model import hazard_net


def read_cohort(path):
    with open(path, newline="") as f:
        reader = csv.reader(f)
        header = next(reader)
        table = torch.tensor([[float(v) for v in row] for row in reader])
    return header, table[:, :-2], table[:, -2], table[:, -1]


def main():
    ap = argparse.ArgumentParser(description="Neural Cox model, whole-cohort gradient steps")
    ap.add_argument("--cohort", default=str(Path(__file__).parent / "cohort.csv"))
    ap.add_argument("--steps", type=int, default=600)
    ap.add_argument("--lr", type=float, default=0.003)
    ap.add_argument("--patience", type=int, default=120)
    ap.add_argument("--seed", type=int, default=8)
    a = ap.parse_args()

    torch.manual_seed(a.seed)
    _, x, time, event = read_cohort(a.cohort)
    perm = torch.randperm(len(x))
    tr, va, te = perm[:420], perm[420:560], perm[560:]
    x = (x - x[tr].mean(0)) / x[tr].std(0)

    net = hazard_net(x.shape[1])
    opt = torch.optim.AdamW(net.parameters(), lr=a.lr, weight_decay=0.05)
    best, best_state, since = float("inf"), None, 0
    for step in range(1, a.steps + 1):
        net.train()
        loss = neg_partial_log_likelihood(net(x[tr]), time[tr], event[tr])
        opt.zero_grad()
        loss.backward()
        opt.step()

        net.eval()
        with torch.no_grad():
            vloss = neg_partial_log_likelihood(net(x[va]), time[va], event[va]).item()
        if vloss < best:
            best, best_state, since = vloss, copy.deepcopy(net.state_dict()), 0
        else:
            since += 1
            if since >= a.patience:
                print("stopping at step", step)
                break
        if step % 40 == 0:
            with torch.no_grad():
                c = concordance(net(x[va]), time[va], event[va])
            print(f"step {step:4d}  loss {loss.item():.4f}  val {vloss:.4f}  val c-index {c:.3f}")

    net.load_state_dict(best_state)
    net.eval()
    with torch.no_grad():
        print(f"test c-index {concordance(net(x[te]), time[te], event[te]):.3f}")


if __name__ == "__main__":
    main()
