import argparse
from pathlib import Path

import torch
from torch.nn.functional import cross_entropy
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from gnn import config, graphs
from gnn.model import GraphClassifier


@torch.no_grad()
def evaluate(model, data, batch=128):
    model.eval()
    loss = hits = 0
    for adj, mask, feats, labels in zip(*(t.split(batch) for t in data)):
        logits = model(adj, mask, feats)
        loss += cross_entropy(logits, labels, reduction="sum").item()
        hits += (logits.argmax(1) == labels).sum().item()
    return loss / len(data[-1]), hits / len(data[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", type=Path, default=Path(__file__).parent / "configs" / "run.toml")
    cfg = config.load(parser.parse_args().config)
    torch.manual_seed(cfg["seed"])

    d = cfg["data"]
    train = graphs.sample(d["train_graphs"], d["min_nodes"], d["max_nodes"], seed=1)
    val = graphs.sample(d["val_graphs"], d["min_nodes"], d["max_nodes"], seed=2)

    net = GraphClassifier(n_features=train[2].shape[2], n_classes=len(graphs.FAMILIES), **cfg["model"])
    ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(cfg["ema"]["decay"]))
    optimizer = torch.optim.Adam(net.parameters(), lr=cfg["train"]["lr"])

    best, target = 0.0, Path(__file__).parent / cfg["train"]["checkpoint"]
    for epoch in range(1, cfg["train"]["epochs"] + 1):
        net.train()
        total = 0.0
        for rows in torch.randperm(len(train[-1])).split(cfg["train"]["batch_size"]):
            adj, mask, feats, labels = (t[rows] for t in train)
            loss = cross_entropy(net(adj, mask, feats), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            ema.update_parameters(net)
            total += loss.item() * len(rows)
        val_loss, val_acc = evaluate(ema, val)
        print(f"epoch {epoch}: train loss {total / len(train[-1]):.4f}, val loss {val_loss:.4f}, val acc {val_acc:.3f}")
        if val_acc > best:
            best = val_acc
            torch.save(ema.module.state_dict(), target)

    print(f"best validation accuracy {best:.3f}, weights in {target}")


if __name__ == "__main__":
    main()
