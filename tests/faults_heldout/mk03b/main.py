import sys

import torch
import torch.nn.functional as F
import yaml

from scans.averaging import WeightAverage
from scans.dataset import ScanSet
from scans.model import PointSetNet


def score(net, pts, lab):
    with torch.no_grad():
        out = net(pts)
    return F.cross_entropy(out, lab).item(), (out.argmax(1) == lab).float().mean().item()


def main(path="config.yaml", *override):
    with open(path) as f:
        cfg = yaml.safe_load(f)
    for item in override:
        key, value = item.split("=")
        cfg["train"][key] = yaml.safe_load(value)
    t = cfg["train"]
    torch.manual_seed(t["seed"])
    gen = torch.Generator().manual_seed(t["seed"])
    data = ScanSet(**cfg["data"])
    net = PointSetNet(**cfg["model"])
    avg = WeightAverage(net, **cfg["average"])
    opt = torch.optim.Adam(net.parameters(), lr=t["lr"])

    for epoch in range(t["epochs"]):
        running = count = 0
        for pts, lab in data.batches(t["batch_size"], gen):
            loss = F.cross_entropy(net(pts), lab, label_smoothing=t["label_smoothing"])
            opt.zero_grad()
            loss.backward()
            opt.step()
            avg.update(net)
            running += loss.item() * len(lab)
            count += len(lab)
        val_loss, val_acc = score(avg.shadow, *data.val)
        print(f"epoch {epoch:02d}  loss {running / count:.3f}  val loss {val_loss:.3f}  val acc {val_acc:.3f}")
    torch.save(avg.shadow.state_dict(), cfg["export"])


if __name__ == "__main__":
    main(*sys.argv[1:])
