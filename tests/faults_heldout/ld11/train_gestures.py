import configparser
import logging

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

from gesture_net import GestureNet

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("gestures")


def prepare(cfg):
    z = np.load(cfg["file"])
    acc = torch.from_numpy(z["acc"].astype("float32") / 100.0)
    labels = torch.from_numpy(z["label"].astype("int64"))
    cut = int(len(acc) * cfg.getfloat("train_share"))
    parts = random_split(range(len(acc)), [cut, len(acc) - cut])
    tr, te = (torch.tensor(list(p)) for p in parts)
    mean, std = acc[tr].mean((0, 1)), acc[tr].std((0, 1))
    acc = (acc - mean) / std
    return TensorDataset(acc[tr], labels[tr]), TensorDataset(acc[te], labels[te])


def accuracy(net, loader):
    net.eval()
    good = total = 0
    with torch.no_grad():
        for window, label in loader:
            good += int((net(window).argmax(1) == label).sum())
            total += label.numel()
    return good / total


def main():
    ini = configparser.ConfigParser()
    ini.read("config.ini")
    opts = ini["train"]
    torch.manual_seed(opts.getint("seed"))
    train_set, test_set = prepare(ini["data"])
    train = DataLoader(train_set, opts.getint("batch"), shuffle=True)
    test = DataLoader(test_set, opts.getint("batch"))
    axes = train_set.tensors[0].shape[-1]
    gestures = int(train_set.tensors[1].max()) + 1

    net = GestureNet(axes, ini.getint("model", "hidden"), ini.getint("model", "layers"), gestures)
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=opts.getfloat("lr"))
    for epoch in range(opts.getint("epochs")):
        net.train()
        summed = 0.0
        for window, label in train:
            optimizer.zero_grad()
            loss = criterion(net(window), label)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            summed += loss.item() * len(label)
        log.info("epoch %d: loss %.4f, test accuracy %.3f", epoch + 1, summed / len(train_set), accuracy(net, test))


if __name__ == "__main__":
    main()
