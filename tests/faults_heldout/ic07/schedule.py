import copy


class PolyDecay:
    """Learning rate (1 - t / T) ** power times the initial one, with a short ramp."""

    def __init__(self, optimizer, total_steps, power=0.9, ramp=20):
        self.optimizer = optimizer
        self.total_steps = total_steps
        self.power = power
        self.ramp = ramp
        self.initial = copy.deepcopy(optimizer.state_dict())
        self.t = 0

    def factor(self):
        up = min(1.0, (self.t + 1) / self.ramp)
        return up * (1 - self.t / self.total_steps) ** self.power

    def step(self):
        # always relative to the initial rates, so that rounding does not add up
        self.optimizer.load_state_dict(self.initial)
        for group in self.optimizer.param_groups:
            group["lr"] *= self.factor()
        self.t += 1

    @property
    def lr(self):
        return self.optimizer.param_groups[0]["lr"]
