import sys

import torch
import torch.nn.functional as F
import yaml
from torch.utils.data import DataLoader

from pipeline.net import ClipNet
from pipeline.stream import ClipStream

CLASSES = 6


@torch.no_grad()
def score(net, loader):
    net.eval()
    logits, ys = zip(*[(net(x), y) for x, y in loader])
    net.train()
    logits, ys = torch.cat(logits), torch.cat(ys)
    return F.cross_entropy(logits, ys).item(), (logits.argmax(1) == ys).float().mean().item()


def main(path):
    with open(path) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(cfg["seed"])
    d, t = cfg["data"], cfg["train"]
    train_set = ClipStream(d["train"], d["scale"], d["shuffle_buffer"], cfg["seed"])
    train = DataLoader(train_set, batch_size=d["batch_size"], drop_last=True)
    heldout = DataLoader(ClipStream(d["heldout"], d["scale"]), batch_size=100)

    net = ClipNet(classes=CLASSES, **cfg["model"])
    opt = torch.optim.AdamW(net.parameters(), lr=t["lr"], weight_decay=t["weight_decay"])

    step = 0
    for epoch in range(t["epochs"]):
        train_set.set_epoch(epoch)
        for x, y in train:
            loss = F.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            if step % 15 == 0:
                print(f"epoch {epoch} step {step} loss {loss.item():.4f}")
            step += 1
        vloss, vacc = score(net, heldout)
        print(f"epoch {epoch} heldout loss {vloss:.4f} acc {vacc:.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "config.yaml")
