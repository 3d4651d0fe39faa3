import torch


class WindowAugment:
    """Random perturbations of a batch of coded windows (A=0, C=1, G=2, T=3)."""

    def __init__(self, max_shift, substitution_rate, reverse_complement):
        self.max_shift = max_shift
        self.substitution_rate = substitution_rate
        self.reverse_complement = reverse_complement

    def __call__(self, codes):
        if self.max_shift:
            k = int(torch.randint(-self.max_shift, self.max_shift + 1, ()))
            codes = torch.roll(codes, k, dims=1)
        if self.substitution_rate:
            hit = torch.rand(codes.shape) < self.substitution_rate
            codes = torch.where(hit, torch.randint(0, 4, codes.shape), codes)
        if self.reverse_complement:
            turn = torch.rand(len(codes), 1) < self.reverse_complement
            codes = torch.where(turn, 3 - codes.flip(1), codes)
        return codes
