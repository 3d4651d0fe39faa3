import torch
from torch import nn


class HamiltonianNet(nn.Module):
    """Scalar energy; the vector field follows from its gradient."""

    def __init__(self, hidden):
        super().__init__()
        self.energy = nn.Sequential(
            nn.Linear(4, hidden), nn.Softplus(),
            nn.Linear(hidden, hidden), nn.Softplus(),
            nn.Linear(hidden, 1),
        )

    def forward(self, state):
        with torch.enable_grad():
            state = state.detach().requires_grad_(True)
            total = self.energy(state).sum()
            grad, = torch.autograd.grad(total, state, create_graph=self.training)
        return torch.cat([grad[..., 2:], -grad[..., :2]], -1)
