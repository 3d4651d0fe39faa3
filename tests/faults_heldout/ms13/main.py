import argparse

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from torch.utils.data import DataLoader, TensorDataset

from customers import Preparer, build_table
from network import TwoHeads, WeighedTasks


def tensors(prep, df):
    return TensorDataset(*[torch.from_numpy(a) for a in prep.transform(df)])


@torch.no_grad()
def report(net, prep, data):
    net.eval()
    x, cats, leaves, spend = data.tensors
    logit, hat = net(x, cats)
    money, truth = prep.to_money(hat.numpy()), prep.to_money(spend.numpy())
    return roc_auc_score(leaves.numpy(), logit.numpy()), float(np.median(np.abs(money / truth - 1)))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--batch-size", type=int, default=128)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=14)
    args = ap.parse_args()
    torch.manual_seed(args.seed)

    table = build_table(7000, seed=81)
    train_df, test_df = table.iloc[:5500], table.iloc[5500:]
    prep = Preparer().fit(train_df)
    train, test = tensors(prep, train_df), tensors(prep, test_df)
    share = train_df["leaves"].mean()
    print(f"share of leavers {share:.3f}")

    net = TwoHeads(len(prep.numeric), [len(l) for l in prep.levels.values()])
    loss_fn = WeighedTasks(float((1 - share) / share) ** 0.5)
    opt = torch.optim.AdamW([{"params": net.parameters(), "weight_decay": 1e-3},
                             {"params": loss_fn.parameters(), "weight_decay": 0.0}], lr=args.lr)
    sched = torch.optim.lr_scheduler.LinearLR(opt, start_factor=1.0, end_factor=0.05, total_iters=args.epochs)
    loader = DataLoader(train, batch_size=args.batch_size, shuffle=True)

    for epoch in range(args.epochs):
        net.train()
        log = []
        for x, cats, leaves, spend in loader:
            total, bce, mse = loss_fn(*net(x, cats), leaves, spend)
            opt.zero_grad()
            total.backward()
            opt.step()
            log.append([total.item(), bce.item(), mse.item()])
        sched.step()
        auc, err = report(net, prep, test)
        t, b, m = np.mean(log, axis=0)
        print(f"epoch {epoch + 1:2d} total {t:+.3f} bce {b:.3f} mse {m:.3f} | test auc {auc:.3f} median rel. error {err:.3f} "
              f"| log_var {loss_fn.log_var.detach().numpy().round(2)}")


if __name__ == "__main__":
    main()
