import argparse
import configparser
import logging

import torch
from torch.utils.data import DataLoader, Subset

from molprop import GraphSet, Mpnn, collate


def build_optimizer(model, sec):
    return torch.optim.AdamW(
        model.parameters(),
        lr=sec.getfloat("lr"),
        betas=(sec.getfloat("beta1"), sec.getfloat("beta2")),
        eps=sec.getfloat("eps"),
        weight_decay=sec.getfloat("weight_decay"),
    )


@torch.no_grad()
def mae(model, loader, scale):
    model.eval()
    err, n = 0.0, 0
    for inputs, t in loader:
        pred = model(*inputs, len(t)) * scale[1] + scale[0]
        err += (pred - t).abs().sum().item()
        n += len(t)
    model.train()
    return err / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("-c", "--config", default="run.ini")
    cfg = configparser.ConfigParser()
    cfg.read(ap.parse_args().config)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    run, data = cfg["run"], cfg["data"]
    torch.manual_seed(run.getint("seed"))

    graphs = GraphSet(data["path"])
    order = torch.randperm(len(graphs)).tolist()
    n_val = int(data.getfloat("val_share") * len(graphs))
    val_set, train_set = Subset(graphs, order[:n_val]), Subset(graphs, order[n_val:])
    bs = data.getint("batch_graphs")
    train_loader = DataLoader(train_set, bs, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(val_set, 150, collate_fn=collate)

    t = graphs.target[order[n_val:]]
    scale = (t.mean(), t.std())
    logging.info("%d train / %d val molecules, target %.2f +- %.2f", len(train_set), n_val, *scale)

    model = Mpnn(int(graphs.atom.max()) + 1, int(graphs.bond.max()) + 1,
                 cfg["model"].getint("width"), cfg["model"].getint("rounds"))
    opt = build_optimizer(model, cfg["optimizer"])
    epochs = run.getint("epochs")
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * len(train_loader))

    for epoch in range(1, epochs + 1):
        total = 0.0
        for inputs, t in train_loader:
            pred = model(*inputs, len(t))
            loss = torch.nn.functional.huber_loss(pred, (t - scale[0]) / scale[1])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(t)
        if epoch % run.getint("report_every") == 0:
            logging.info("epoch %3d  loss %.5f  val mae %.3f", epoch, total / len(train_set),
                         mae(model, val_loader, scale))


if __name__ == "__main__":
    main()
