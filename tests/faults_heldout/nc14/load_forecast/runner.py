import torch
import torch.nn as nn


class StreamTrainer:
    """Truncated back-propagation through time: every feeder is one row of the
    batch, windows follow each other in time and the state is handed on."""

    def __init__(self, net, data, settings):
        self.net, self.data, self.s = net, data, settings
        self.criterion = nn.HuberLoss(delta=settings.huber_delta)
        self.optimizer = torch.optim.Adam(net.parameters(), lr=settings.lr)
        self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(
            self.optimizer, factor=settings.plateau_factor, patience=settings.plateau_patience)

    def windows(self, start, stop):
        for t in range(start, stop, self.s.window):
            end = min(t + self.s.window, stop)
            yield self.data.inputs[:, t:end], self.data.targets[:, t:end]

    def train_epoch(self):
        self.net.train()
        state, total, count = None, 0.0, 0
        for x, y in self.windows(0, self.data.split):
            if state is not None:
                state = state.detach()
            pred, state = self.net(x, state)
            loss = self.criterion(pred, y)
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), self.s.grad_clip)
            self.optimizer.step()
            total += loss.item() * y.numel()
            count += y.numel()
        return total / count

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        d = self.data
        _, state = self.net(d.inputs[:, :d.split])
        pred, _ = self.net(d.inputs[:, d.split:], state)
        target = d.targets[:, d.split:]
        loss = self.criterion(pred, target).item()
        mae = (d.to_kilowatt(pred) - d.to_kilowatt(target)).abs().mean().item()
        return loss, mae

    def naive_mae(self, lag):
        d = self.data
        kw = d.to_kilowatt(d.targets)
        return (kw[:, d.split:] - kw[:, d.split - lag:-lag]).abs().mean().item()

    def fit(self):
        for epoch in range(1, self.s.epochs + 1):
            train_loss = self.train_epoch()
            val_loss, mae = self.validate()
            self.scheduler.step(val_loss)
            if epoch == 1 or epoch % 3 == 0:
                lr = self.optimizer.param_groups[0]["lr"]
                print(f"{epoch:3d}  huber {train_loss:.4f} / {val_loss:.4f}   val mae {mae:8.1f} kW   lr {lr:.1e}")
