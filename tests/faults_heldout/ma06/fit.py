import configparser
import sys

import torch
from torch.utils.data import DataLoader

from gyro.dataset import MANOEUVRES, open_trips
from gyro.net import ManoeuvreNet
from gyro.transforms import Pipeline


def main(ini):
    cp = configparser.ConfigParser()
    cp.read(ini)
    tr = cp["train"]
    torch.manual_seed(tr.getint("seed"))
    names = [s.strip() for s in cp["augment"]["steps"].split(",") if s.strip()]
    pipeline = Pipeline(names, cp["augment"].getfloat("probability"))
    train, val = open_trips(cp["data"]["file"], cp["data"].getfloat("val_fraction"), pipeline, tr.getint("seed"))
    dl = DataLoader(train, batch_size=tr.getint("batch"), shuffle=True)

    net = ManoeuvreNet(len(MANOEUVRES))
    opt = torch.optim.Adam(net.parameters(), lr=tr.getfloat("lr"))
    ce = torch.nn.CrossEntropyLoss()
    for epoch in range(tr.getint("epochs")):
        net.train()
        run = 0.0
        for x, y in dl:
            opt.zero_grad()
            loss = ce(net(x), y)
            loss.backward()
            opt.step()
            run += float(loss.detach())
        net.eval()
        with torch.no_grad():
            out = net(val.windows)
            acc = (out.argmax(1) == val.labels).float().mean()
            vl = ce(out, val.labels)
        print("%02d  train %.3f  val %.3f  val accuracy %.3f" % (epoch, run / len(dl), vl, acc))
    for c, name in enumerate(MANOEUVRES):
        sel = val.labels == c
        print(f"   {name:12s} {(out[sel].argmax(1) == c).float().mean():.2f}  (n={int(sel.sum())})")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "settings.ini")
