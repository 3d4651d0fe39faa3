import numpy as np
import torch


class SignMomentum(torch.optim.Optimizer):
    """Lion (Chen et al. 2023): the step is the sign of an interpolated momentum."""

    def __init__(self, params, lr, beta1=0.9, beta2=0.99, weight_decay=0.0):
        super().__init__(params, dict(lr=lr, beta1=beta1, beta2=beta2, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if "m" not in st:
                    st["m"] = torch.zeros_like(p)
                m = st["m"]
                direction = torch.sign(g["beta1"] * m + (1 - g["beta1"]) * p.grad)
                if g["weight_decay"] and p.dim() > 1:
                    p.mul_(1 - g["lr"] * g["weight_decay"])
                p.add_(direction, alpha=-g["lr"])
                m.mul_(g["beta2"]).add_(p.grad, alpha=1 - g["beta2"])


class StepDown:
    """Multiplies the rate by `factor` at given fractions of the run."""

    def __init__(self, opt, total, at=(0.6, 0.85), factor=0.3):
        self.opt, self.marks, self.factor, self.n = opt, [int(total * a) for a in at], factor, 0

    def __call__(self):
        self.n += 1
        if self.n in self.marks:
            for g in self.opt.param_groups:
                g["lr"] *= self.factor


class Deck:
    """Shuffles row numbers and deals them out."""

    def __init__(self, n, size, seed):
        self.n, self.size, self.rng = n, size, np.random.default_rng(seed)

    def __iter__(self):
        cards = self.rng.permutation(self.n)
        for i in range(0, self.n - self.size + 1, self.size):
            yield cards[i:i + self.size]

    def __len__(self):
        return self.n // self.size


class HitRate:
    def __init__(self):
        self.hit = self.n = 0

    def add(self, logits, y):
        self.hit += int((logits.argmax(1) == y).sum())
        self.n += len(y)

    def value(self):
        return self.hit / self.n


class Trainer:
    def __init__(self, net, opt, loss_fn, train, test, batch, epochs, seed):
        self.net, self.opt, self.loss_fn = net, opt, loss_fn
        self.train_set, self.test_set = train, test
        self.deck = Deck(len(train[1]), batch, seed)
        self.epochs = epochs
        self.sched = StepDown(opt, epochs * len(self.deck))

    def fit(self):
        for epoch in range(1, self.epochs + 1):
            self.net.train()
            loss_sum = 0.0
            for rows in self.deck:
                x, y = (t[torch.from_numpy(rows)] for t in self.train_set)
                loss = self.loss_fn(self.net(x), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                self.sched()
                loss_sum += loss.item()
            val, acc = self.evaluate()
            print(f"[{epoch:02d}] lr {self.opt.param_groups[0]['lr']:.1e} "
                  f"train {loss_sum / len(self.deck):.4f}  test {val:.4f}  acc {acc:.4f}")
        return acc

    @torch.no_grad()
    def evaluate(self):
        self.net.eval()
        rate = HitRate()
        x, y = self.test_set
        logits = self.net(x)
        rate.add(logits, y)
        return self.loss_fn(logits, y).item(), rate.value()
