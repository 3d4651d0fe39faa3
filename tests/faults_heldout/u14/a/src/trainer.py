import torch
import torch.nn.functional as F


def apply_freeze(model, prefixes):
    """Exclude every parameter whose name starts with one of the prefixes from training."""
    for name, p in model.named_parameters():
        if any(name.startswith(prefix) for prefix in prefixes):
            p.requires_grad_(False)


class Trainer:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        apply_freeze(model, cfg["freeze"])
        params = [p for p in model.parameters() if p.requires_grad]
        self.opt = torch.optim.AdamW(params, lr=cfg["lr"], weight_decay=cfg["weight_decay"])

    def fit(self, train, valid):
        x, y = train
        for epoch in range(self.cfg["epochs"]):
            self.model.train()
            total = 0.0
            for idx in torch.randperm(len(y)).split(self.cfg["batch_size"]):
                loss = F.cross_entropy(self.model(x[idx]), y[idx])
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                total += loss.item() * len(idx)
            print(f"epoch {epoch + 1}: train {total / len(y):.4f}  valid {self.evaluate(*valid):.4f}")

    @torch.no_grad()
    def evaluate(self, x, y):
        self.model.eval()
        return (self.model(x).argmax(1) == y).float().mean().item()
