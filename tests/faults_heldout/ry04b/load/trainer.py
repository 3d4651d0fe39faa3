import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, settings):
        self.model = model
        o, s = settings["optimizer"], settings["schedule"]
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
        self.scheduler = torch.optim.lr_scheduler.StepLR(
            self.optimizer, step_size=s["step_size"], gamma=s["gamma"]
        )
        self.interval = s["interval"]

    def epoch(self, loader):
        self.model.train()
        total = count = 0
        for past, calendar, target in loader:
            self.optimizer.zero_grad()
            loss = F.smooth_l1_loss(self.model(past, calendar), target)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            if self.interval == "step":
                self.scheduler.step()
            total += loss.item() * len(past)
            count += len(past)
        if self.interval == "epoch":
            self.scheduler.step()
        return total / count

    @torch.no_grad()
    def evaluate(self, loader, scale):
        self.model.eval()
        err, n = 0.0, 0
        for past, calendar, target in loader:
            gap = (self.model(past, calendar) - target).abs() * scale
            err += gap.sum().item()
            n += gap.numel()
        return err / n
