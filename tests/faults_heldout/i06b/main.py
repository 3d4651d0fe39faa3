import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from tagger import Tagger

here = Path(__file__).resolve().parent


class Sentences(Dataset):
    def __init__(self, tokens, tags):
        self.tokens, self.tags = torch.from_numpy(tokens).long(), torch.from_numpy(tags).long()

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, i):
        return self.tokens[i], self.tags[i]


def tag_loss(logits, tags, pad_id):
    # the converter pads tokens and tags with the same id
    return F.cross_entropy(logits.flatten(0, 1), tags.flatten(), ignore_index=pad_id)


@torch.no_grad()
def evaluate(model, loader, pad_id):
    model.eval()
    right = total = 0
    loss = 0.0
    for tokens, tags in loader:
        logits = model(tokens)
        keep = tags != pad_id
        right += (logits.argmax(-1) == tags)[keep].sum().item()
        total += keep.sum().item()
        loss += tag_loss(logits, tags, pad_id).item() * keep.sum().item()
    return loss / total, right / total


def make_optimizer(model, cfg):
    if cfg["optimizer"] == "adamw":
        return torch.optim.AdamW(model.parameters(), lr=cfg["lr"], weight_decay=cfg["weight_decay"])
    return torch.optim.SGD(
        model.parameters(), lr=cfg["lr"], momentum=cfg["momentum"], weight_decay=cfg["weight_decay"], nesterov=True
    )


def main():
    cfg = json.loads((here / "config.json").read_text())
    torch.manual_seed(cfg["seed"])
    data = np.load(here / cfg["data"])
    train = DataLoader(Sentences(data["train_tokens"], data["train_tags"]), cfg["batch_size"], shuffle=True)
    dev = DataLoader(Sentences(data["dev_tokens"], data["dev_tags"]), 128)

    model = Tagger(cfg)
    opt = make_optimizer(model, cfg)
    sched = torch.optim.lr_scheduler.LinearLR(
        opt, 1.0, cfg["final_lr_fraction"], total_iters=cfg["epochs"] * len(train)
    )
    step = 0
    for epoch in range(cfg["epochs"]):
        model.train()
        for tokens, tags in train:
            loss = tag_loss(model(tokens), tags, cfg["pad_id"])
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
            opt.step()
            sched.step()
            step += 1
            if step % 20 == 0:
                print(f"step {step:4d}  loss {loss.item():.4f}  lr {sched.get_last_lr()[0]:.2e}")
        dev_loss, dev_acc = evaluate(model, dev, cfg["pad_id"])
        print(f"== epoch {epoch + 1}: dev loss {dev_loss:.4f}  token accuracy {dev_acc:.4f}")
    return model


if __name__ == "__main__":
    main()
