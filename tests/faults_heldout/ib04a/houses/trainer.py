import torch
from torch.nn.functional import mse_loss


class Trainer:
    def __init__(self, model, optimizer, train, held_out, unit, batch_size):
        self.model, self.optimizer = model, optimizer
        self.x, self.y = train
        self.held_out, self.unit, self.batch_size = held_out, unit, batch_size

    def fit(self, epochs):
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, epochs)
        for epoch in range(epochs):
            self.model.train()
            total = 0.0
            for idx in torch.randperm(len(self.x)).split(self.batch_size):
                loss = mse_loss(self.model(self.x[idx]), self.y[idx])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(idx)
            sched.step()
            if epoch % 5 == 4:
                rmse, r2 = self.score()
                print(f"epoch {epoch + 1}: train mse {total / len(self.x):.4f}, "
                      f"held-out rmse {rmse:.1f} kEUR, R2 {r2:.3f}")

    @torch.no_grad()
    def score(self):
        self.model.eval()
        x, y = self.held_out
        mse = mse_loss(self.model(x), y).item()
        return mse ** 0.5 * self.unit, 1 - mse / y.var(unbiased=False).item()
