import torch
import torch.nn.functional as F


class Engine:
    """Runs the epochs. Uses mixed precision when there is a GPU."""

    def __init__(self, net, optimizer, device):
        self.net = net.to(device)
        self.optimizer = optimizer
        self.device = device
        self.amp = device.type == "cuda"
        self.scaler = torch.amp.GradScaler("cuda") if self.amp else None

    def compute_loss(self, x, y):
        with torch.autocast(self.device.type, enabled=self.amp):
            return F.cross_entropy(self.net(x), y)

    def train_epoch(self, loader):
        self.net.train()
        total, seen = 0.0, 0
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            self.optimizer.zero_grad(set_to_none=True)
            loss = self.compute_loss(x, y)
            if self.scaler is not None:
                self.scaler.scale(loss).backward()
                self.scaler.unscale_(self.optimizer)
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
                self.scaler.step(self.optimizer)
                self.scaler.update()
            else:
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
            total += loss.item() * len(y)
            seen += len(y)
        return total / seen

    @torch.no_grad()
    def evaluate(self, loader):
        self.net.eval()
        hit, seen, total = 0, 0, 0.0
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            out = self.net(x)
            total += F.cross_entropy(out, y, reduction="sum").item()
            hit += (out.argmax(1) == y).sum().item()
            seen += len(y)
        return total / seen, hit / seen
