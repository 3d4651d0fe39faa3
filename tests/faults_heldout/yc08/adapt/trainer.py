import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, loaders, s, callbacks):
        self.model, self.loaders, self.s, self.callbacks = model, loaders, s, callbacks
        body = [p for p in model.backbone.parameters() if p.requires_grad]
        self.opt = torch.optim.AdamW([
            {"params": model.head.parameters(), "lr": s.head_lr},
            {"params": body, "lr": s.body_lr},
        ], weight_decay=s.weight_decay)
        self.stop = False

    @torch.no_grad()
    def evaluate(self, split):
        self.model.eval()
        loss = hit = n = 0
        for x, y in self.loaders[split]:
            out = self.model(x)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
        return {"loss": loss / n, "acc": hit / n}

    def fit(self):
        for epoch in range(1, self.s.epochs + 1):
            self.model.train()
            tot = n = 0
            for x, y in self.loaders["train"]:
                loss = F.cross_entropy(self.model(x), y)
                self.opt.zero_grad(set_to_none=True)
                loss.backward()
                self.opt.step()
                tot += loss.item() * len(y)
                n += len(y)
            val = self.evaluate("val")
            logs = {"loss": tot / n, "val_loss": val["loss"], "val_acc": val["acc"]}
            for cb in self.callbacks:
                cb(self, epoch, logs)
            if self.stop:
                break
