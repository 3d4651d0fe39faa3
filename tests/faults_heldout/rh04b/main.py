import configparser

import torch

from nirs.data import Spectra, load_campaigns, read_ids
from nirs.model import build
from nirs.training import train


def main():
    cfg = configparser.ConfigParser()
    cfg.read("project.ini")
    torch.manual_seed(cfg.getint("run", "seed"))
    table = load_campaigns(cfg["data"]["folder"])
    train_set = Spectra(table, read_ids(cfg["data"]["train_ids"]))
    valid_set = Spectra(table, read_ids(cfg["data"]["valid_ids"]), train_set.stats)
    model = build(train_set.x.shape[1], cfg.getint("model", "hidden"), cfg.getfloat("model", "dropout"))
    print(f"{len(table)} spectra: {len(train_set)} train, {len(valid_set)} valid")
    best = train(model, train_set, valid_set, cfg["run"])
    torch.save(model.state_dict(), "protein.pt")
    print(f"valid rmse {best ** 0.5 * train_set.stats[3]:.3f} % protein")


if __name__ == "__main__":
    main()
