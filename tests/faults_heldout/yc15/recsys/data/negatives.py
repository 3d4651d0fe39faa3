import torch


class NegativeSampler:
    """Popularity-tempered negatives; items that the user already played are drawn again."""

    def __init__(self, interactions, per_positive, power=0.5, tries=4):
        self.mask, self.n, self.tries = interactions.mask, per_positive, tries
        self.p = (interactions.popularity() + 1).pow(power)

    def __call__(self, users):
        shape = (len(users), self.n)
        neg = torch.multinomial(self.p, users.numel() * self.n, replacement=True).view(shape)
        for _ in range(self.tries):
            clash = self.mask[users[:, None], neg]
            if not clash.any():
                break
            neg[clash] = torch.multinomial(self.p, int(clash.sum()), replacement=True)
        return neg
