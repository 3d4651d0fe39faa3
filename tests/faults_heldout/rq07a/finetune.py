import copy
import logging
import sys

import torch
import torch.nn.functional as F
import yaml

from gin import Encoder, Property
from graphs import GraphTable

log = logging.getLogger("finetune")


def make_model(cfg):
    encoder = Encoder(**cfg["encoder"])
    if cfg["pretrained"]:
        state = torch.load(cfg["pretrained"], map_location="cpu", weights_only=True)
        encoder.load_state_dict(state["encoder"], strict=False)
        log.info("encoder from %s (%d updates)", cfg["pretrained"], state["updates"])
    return Property(encoder, cfg["encoder"]["width"])


def groups(model, cfg):
    return [{"params": model.encoder.parameters(), "lr": cfg["lr_encoder"]},
            {"params": model.head.parameters(), "lr": cfg["lr_head"]}]


def error(model, table, scale):
    model.eval()
    with torch.no_grad():
        b = table.whole()
        return F.mse_loss(model(b), (b.y - scale[0]) / scale[1]).item()


def main(path):
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
    with open(path) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(cfg["seed"])
    train, valid = GraphTable(cfg["graphs"], "train"), GraphTable(cfg["graphs"], "valid")
    scale = train.y.mean(), train.y.std()
    model = make_model(cfg)
    opt = torch.optim.AdamW(groups(model, cfg), weight_decay=cfg["weight_decay"])
    steps = cfg["epochs"] * (len(train) // cfg["batch"])
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, steps)

    best, kept = float("inf"), None
    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        total = count = 0
        for b in train.batches(cfg["batch"]):
            loss = F.mse_loss(model(b), (b.y - scale[0]) / scale[1])
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total, count = total + loss.item(), count + 1
        err = error(model, valid, scale)
        if err < best:
            best, kept = err, copy.deepcopy(model.state_dict())
        if epoch % 5 == 0:
            log.info("epoch %3d  train %.4f  valid %.4f", epoch, total / count, err)
    torch.save(kept, "property.pt")
    log.info("best valid mse %.4f (R2 %.3f)", best, 1 - best / ((valid.y - scale[0]) / scale[1]).var().item())


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "finetune.yml")
