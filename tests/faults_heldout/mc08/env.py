import torch


class ClockTask:
    """Two hands on a 12-hour clock; the policy has to name the hour at which they add up.

    Answers close to the right hour get part of the reward.
    """

    n = 12

    def prompts(self, k, gen=None):
        return torch.randint(self.n, (k, 2), generator=gen)

    def reward(self, prompts, actions):
        goal = (prompts.sum(-1) % self.n)[:, None]
        off = (actions - goal).abs()
        off = torch.minimum(off, self.n - off)
        return 1.0 - off.float() / 6.0
