"""Fine-tunes the glyph backbone on the small stroke-topology set (open / one loop / two loops)."""
import json

import numpy as np
import torch
import torch.nn.functional as F

from net import Classifier


class FineTuner:
    def __init__(self, settings):
        self.s = settings
        torch.manual_seed(settings["seed"])
        pack = np.load(settings["data"])
        self.x_train, self.y_train = self.tensors(pack["x_train"], pack["y_train"])
        self.x_val, self.y_val = self.tensors(pack["x_val"], pack["y_val"])
        self.model = Classifier(n_classes=3)
        self.load_pretrained(settings["pretrained"])
        self.optimizer = torch.optim.AdamW(
            [
                {"params": self.model.backbone.parameters(), "lr": settings["lr_backbone"]},
                {"params": self.model.head.parameters(), "lr": settings["lr_head"]},
            ],
            weight_decay=settings["weight_decay"],
        )

    @staticmethod
    def tensors(images, labels):
        x = torch.from_numpy(images).float().div(16.0).sub(0.3).div(0.38)
        return x.unsqueeze(1), torch.from_numpy(labels).long()

    def load_pretrained(self, path):
        saved = torch.load(path, weights_only=True)["state_dict"]
        saved = {k: v.float() for k, v in saved.items() if not k.startswith("head.")}
        self.model.load_state_dict(saved, strict=False)

    def batches(self):
        order = torch.randperm(len(self.y_train))
        for idx in order.split(self.s["batch_size"]):
            yield self.x_train[idx], self.y_train[idx]

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.batches():
            loss = F.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(y)
        return total / len(self.y_train)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        logits = self.model(self.x_val)
        acc = (logits.argmax(1) == self.y_val).float().mean().item()
        return F.cross_entropy(logits, self.y_val).item(), acc

    def fit(self):
        for epoch in range(self.s["epochs"]):
            train_loss = self.train_epoch()
            if epoch % 3 == 2:
                val_loss, acc = self.validate()
                print(f"epoch {epoch + 1:3d} | train {train_loss:.4f} | val {val_loss:.4f} | acc {acc:.4f}")


if __name__ == "__main__":
    with open("settings.json") as fh:
        FineTuner(json.load(fh)).fit()
