import argparse
import json

import torch
from torch.utils.data import DataLoader

from tagger.data import Collator, load
from tagger.model import ConvTagger


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hit = total = 0
    nll = 0.0
    for batch in loader:
        logits = model(input_ids=batch["input_ids"], mask=batch["mask"])["logits"]
        m = batch["mask"]
        gold = batch["labels"][m]
        nll += torch.nn.functional.cross_entropy(logits[m], gold, reduction="sum").item()
        hit += (logits[m].argmax(-1) == gold).sum().item()
        total += gold.numel()
    return nll / total, hit / total


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--config", default="config.json")
    args = ap.parse_args()
    cfg = json.load(open(args.config))
    torch.manual_seed(cfg["seed"])

    tags = {t: i for i, t in enumerate(cfg["tags"])}
    train_set, dev_set, vocab = load(cfg["data"]["dir"], tags)
    collate = Collator(cfg["data"]["max_len"], cfg["data"]["label_pad_id"])
    train = DataLoader(train_set, cfg["batch_size"], shuffle=True, collate_fn=collate)
    dev = DataLoader(dev_set, 128, collate_fn=collate)

    model = ConvTagger(len(vocab), len(tags), **cfg["model"])
    opt = torch.optim.SGD(model.parameters(), **cfg["optimizer"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg["epochs"] * len(train))

    for epoch in range(cfg["epochs"]):
        model.train()
        running = 0.0
        for batch in train:
            opt.zero_grad(set_to_none=True)
            loss = model(**batch)["loss"]
            loss.backward()
            opt.step()
            sched.step()
            running += loss.item()
        nll, acc = evaluate(model, dev)
        print(f"epoch {epoch + 1:2d}  loss {running / len(train):.4f}  dev nll {nll:.4f}  dev acc {acc:.4f}")


if __name__ == "__main__":
    main()
