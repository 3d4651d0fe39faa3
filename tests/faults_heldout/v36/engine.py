import torch


class Engine:
    def __init__(self, model, loss_fn, optimizer):
        self.model, self.loss_fn, self.optimizer = model, loss_fn, optimizer
        self.history = []

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            losses = [self.step(x, y) for x, y in train_loader]
            self.history.append((sum(losses) / len(losses), self.accuracy(val_loader)))
            print("epoch {:2d} loss {:.4f} val acc {:.4f}".format(epoch, *self.history[-1]))

    @torch.no_grad()
    def accuracy(self, loader):
        self.model.eval()
        hits, n = 0, 0
        for x, y in loader:
            hits += int((self.model(x).argmax(1) == y).sum())
            n += len(y)
        return hits / n
