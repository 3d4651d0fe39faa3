import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader


class Session:
    def __init__(self, model, fields, epochs, batch_size, lr, weight_decay, log_every):
        self.model = model
        self.fields = fields
        self.epochs = epochs
        self.log_every = log_every
        self.loader = DataLoader(fields.train, batch_size=batch_size, shuffle=True)
        self.optimizer = torch.optim.AdamW(
            model.parameters(), lr=lr, weight_decay=weight_decay
        )
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, max_lr=lr, total_steps=epochs * len(self.loader)
        )

    def run(self):
        for epoch in range(1, self.epochs + 1):
            self.model.train()
            for x, y in self.loader:
                loss = F.cross_entropy(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.schedule.step()
            if epoch % self.log_every == 0:
                tr, te = self.score(self.fields.train), self.score(self.fields.test)
                print(
                    f"epoch {epoch:3d}  train {tr[0]:.4f} ({tr[1]:.3f})"
                    f"  held out {te[0]:.4f} ({te[1]:.3f})"
                )

    @torch.no_grad()
    def score(self, dataset):
        self.model.eval()
        x, y = dataset.tensors
        logits = self.model(x)
        hit = (logits.argmax(1) == y).float()
        per_crop = [hit[y == c].mean().item() for c in range(logits.shape[1])]
        return F.cross_entropy(logits, y).item(), hit.mean().item(), per_crop
