import configparser
import os

import numpy as np
import torch
import torch.nn.functional as F

from recsys import RatingModel, load_ratings

here = os.path.dirname(os.path.abspath(__file__))


def rmse(model, data):
    model.eval()
    with torch.no_grad():
        pred = model(data.users, data.items)
    return F.mse_loss(pred, data.ratings).sqrt().item()


def main():
    conf = configparser.ConfigParser()
    conf.read(os.path.join(here, "recsys.ini"))
    tr, md = conf["training"], conf["model"]
    torch.manual_seed(tr.getint("seed"))

    train, val, n_users, n_items = load_ratings(os.path.join(here, "ratings.csv"), seed=tr.getint("seed"))
    print(f"{n_users} users, {n_items} items, {len(train)} train and {len(val)} val ratings")
    print(f"global-mean RMSE {((val.ratings - train.ratings.mean()) ** 2).mean().sqrt().item():.4f}")

    model = RatingModel(n_users, n_items, md.getint("factors"), md.getint("hidden"),
                        md.getfloat("dropout"), train.ratings.mean().item())
    opt = torch.optim.Adam(model.parameters(), lr=tr.getfloat("lr"))
    bs, epochs = tr.getint("batch_size"), tr.getint("epochs")
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(1, epochs + 1):
        model.train()
        sq = 0.0
        for idx in torch.randperm(len(train)).split(bs):
            pred = model(train.users[idx], train.items[idx])
            loss = F.mse_loss(pred, train.ratings[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sq += loss.item() * len(idx)
        sched.step()
        print(f"epoch {epoch:2d}: train rmse {np.sqrt(sq / len(train)):.4f} "
              f"(eval mode {rmse(model, train):.4f}), val rmse {rmse(model, val):.4f}")


if __name__ == "__main__":
    main()
