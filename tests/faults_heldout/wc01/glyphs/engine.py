import math
import time

import torch
from torch.nn import functional as F


def grad_norm(params):
    norms = [p.grad.norm() for p in params if p.grad is not None]
    return torch.stack(norms).norm().item() if norms else 0.0


class Engine:
    def __init__(self, model, train_loader, test_loader, lr, weight_decay, epochs, warmup_steps):
        self.model = model
        self.train_loader = train_loader
        self.test_loader = test_loader
        self.epochs = epochs
        self.params = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.AdamW(self.params, lr=lr, weight_decay=weight_decay)
        total = epochs * len(train_loader)

        def factor(step):
            if step < warmup_steps:
                return (step + 1) / warmup_steps
            progress = (step - warmup_steps) / max(1, total - warmup_steps)
            return 0.5 * (1 + math.cos(math.pi * progress))

        self.scheduler = torch.optim.lr_scheduler.LambdaLR(self.optimizer, factor)

    def _forward(self, batch):
        images, labels = batch
        logits = self.model(images)
        return F.cross_entropy(logits, labels), logits

    def _update(self, loss):
        loss.backward()
        norm = grad_norm(self.params)
        self.optimizer.zero_grad(set_to_none=True)
        self.optimizer.step()
        self.scheduler.step()
        return norm

    def fit(self):
        for epoch in range(1, self.epochs + 1):
            self.model.train()
            t0, losses, norms = time.time(), [], []
            for batch in self.train_loader:
                loss, _ = self._forward(batch)
                norms.append(self._update(loss))
                losses.append(loss.item())
            val_loss, val_acc = self.evaluate()
            print(f"epoch {epoch:02d} train {sum(losses)/len(losses):.4f} |g| {sum(norms)/len(norms):.3f} "
                  f"val {val_loss:.4f} acc {val_acc:.4f} ({time.time()-t0:.1f}s)")

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        loss_sum, hits, count = 0.0, 0, 0
        for batch in self.test_loader:
            loss, logits = self._forward(batch)
            n = len(batch[1])
            loss_sum += loss.item() * n
            hits += (logits.argmax(1) == batch[1]).sum().item()
            count += n
        return loss_sum / count, hits / count
