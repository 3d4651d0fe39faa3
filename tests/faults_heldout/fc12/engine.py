import torch


class Engine:
    """Training on small micro-batches with an effective batch of micro * accumulate."""

    def __init__(self, model, optimizer, criterion, accumulate=1):
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion
        self.accumulate = accumulate

    def micro_step(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        out = self.model(x)
        loss = self.criterion(out, y)
        (loss / self.accumulate).backward()
        return loss.item(), (out.argmax(1) == y).sum().item()

    def train(self, loader):
        self.model.train()
        loss_sum, hits, seen = 0.0, 0, 0
        for i, (x, y) in enumerate(loader, start=1):
            loss, ok = self.micro_step(x, y)
            if i % self.accumulate == 0:
                self.optimizer.step()
            loss_sum += loss * len(y)
            hits += ok
            seen += len(y)
        return {"loss": loss_sum / seen, "acc": hits / seen}

    @torch.no_grad()
    def evaluate(self, loader):
        self.model.eval()
        loss_sum, hits, seen = 0.0, 0, 0
        for x, y in loader:
            out = self.model(x)
            loss_sum += self.criterion(out, y).item() * len(y)
            hits += (out.argmax(1) == y).sum().item()
            seen += len(y)
        return {"loss": loss_sum / seen, "acc": hits / seen}
