import json
import logging
import os

import torch
from sklearn.datasets import load_digits

from tied import TiedAutoencoder

logging.basicConfig(level=logging.INFO, format="%(message)s")
cfg = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "settings.json")))


def main():
    torch.manual_seed(cfg["seed"])
    x = torch.tensor(load_digits().data, dtype=torch.float32) / 16
    x = x[torch.randperm(len(x))]
    train, val = x[:1500], x[1500:]
    center = train.mean(0)
    train, val = train - center, val - center
    net = TiedAutoencoder([64, 64, cfg["code"]])
    opt = torch.optim.NAdam(net.parameters(), lr=cfg["lr"])
    noisy_val = val + cfg["noise"] * torch.randn(val.shape)
    logging.info("baseline mse %.4f", val.pow(2).mean())
    for epoch in range(cfg["epochs"]):
        total = 0.0
        for clean in torch.utils.data.DataLoader(train, batch_size=cfg["batch_size"], shuffle=True):
            rec = net(clean + cfg["noise"] * torch.randn_like(clean))
            loss = (rec - clean).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(clean)
        with torch.no_grad():
            v = (net(noisy_val) - val).pow(2).mean().item()
        if epoch % 5 == 4:
            logging.info("epoch %d train %.5f val %.5f", epoch + 1, total / len(train), v)
    torch.save({"model": net.state_dict(), "cfg": cfg}, cfg["save_to"])


if __name__ == "__main__":
    main()
