import configparser

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

from cellseg.trainer import Trainer
from cellseg.unet import TinyUNet


def main():
    ini = configparser.ConfigParser()
    ini.read("options.ini")
    torch.manual_seed(ini.getint("run", "seed"))
    z = np.load("cells.npz")
    img = torch.from_numpy(z["img"]).float().unsqueeze(1) / 170.0
    mask = torch.from_numpy(z["mask"]).float().unsqueeze(1)
    img = (img - img[:200].mean()) / img[:200].std()
    mb = ini.getint("loader", "micro_batch")
    train = DataLoader(TensorDataset(img[:200], mask[:200]), batch_size=mb, shuffle=True)
    test = DataLoader(TensorDataset(img[200:], mask[200:]), batch_size=30)
    model = TinyUNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=ini.getfloat("sgd", "lr"),
                                momentum=ini.getfloat("sgd", "momentum"))
    trainer = Trainer(model, optimizer, ini.getint("loader", "accumulate"))
    for epoch in range(ini.getint("run", "epochs")):
        loss = trainer.run_epoch(train)
        print(f"epoch {epoch + 1:2d}  loss {loss:.4f}  test dice {trainer.dice(test):.4f}", flush=True)


if __name__ == "__main__":
    main()
