import torch

IGNORE = -100


class Masker:
    """Chooses 15 % of the characters; 80 % of those are replaced by the mask symbol, 10 % by a random one, 10 % kept."""

    def __init__(self, n_chars, mask_id, rate=0.15):
        self.n_chars, self.mask_id, self.rate = n_chars, mask_id, rate

    def __call__(self, ids):
        inputs, labels = ids.clone(), ids.clone()
        chosen = torch.rand(ids.shape) < self.rate
        labels[~chosen] = IGNORE
        action = torch.rand(int(chosen.sum()))
        inputs[chosen][action < 0.8] = self.mask_id
        swap = (action >= 0.8) & (action < 0.9)
        inputs[chosen][swap] = torch.randint(0, self.n_chars, (int(swap.sum()),))
        return inputs, labels
