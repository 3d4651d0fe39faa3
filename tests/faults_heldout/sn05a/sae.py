from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class SAEOutput:
    recon: Tensor
    codes: Tensor


class SparseAutoencoder(nn.Module):
    """Dictionary of unit-norm directions with non-negative codes."""

    def __init__(self, d_in: int, latents: int, threshold_init: float):
        super().__init__()
        directions = torch.randn(latents, d_in)
        directions = directions / directions.norm(dim=1, keepdim=True)
        self.W_enc = nn.Parameter(directions.t().clone())
        self.b_enc = nn.Parameter(torch.full((latents,), -threshold_init))
        self.W_dec = nn.Parameter(directions.clone())
        self.b_dec = nn.Parameter(torch.zeros(d_in))

    def forward(self, x: Tensor) -> SAEOutput:
        codes = torch.relu((x - self.b_dec) @ self.W_enc + self.b_enc)
        return SAEOutput(codes @ self.W_dec + self.b_dec, codes)

    @torch.no_grad()
    def renormalise(self) -> None:
        self.W_dec.div_(self.W_dec.norm(dim=1, keepdim=True).clamp(min=1e-6))
