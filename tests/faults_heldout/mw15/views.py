import torch
import torch.nn.functional as F


def random_view(images):
    """Shift, small rotation and scale, contrast and sensor noise; the digit stays readable."""
    n = len(images)
    angle = (torch.rand(n) - 0.5) * 0.5
    scale = 1 + (torch.rand(n) - 0.5) * 0.3
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = torch.cos(angle) * scale
    theta[:, 0, 1] = -torch.sin(angle) * scale
    theta[:, 1, 0] = torch.sin(angle) * scale
    theta[:, 1, 1] = torch.cos(angle) * scale
    theta[:, :, 2] = (torch.rand(n, 2) - 0.5) * 0.4
    grid = F.affine_grid(theta, images.shape, align_corners=False)
    out = F.grid_sample(images, grid, align_corners=False)
    out = out * (0.7 + 0.6 * torch.rand(n, 1, 1, 1))
    return out + 0.08 * torch.randn_like(out)
