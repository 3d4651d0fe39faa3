import torch

from cells import cell_images
from learner import Learner
from unet import MiniUNet

if __name__ == "__main__":
    torch.manual_seed(90)
    learner = Learner(MiniUNet(), cell_images(112, seed=1), cell_images(64, seed=2), lr=3e-3)
    curves = learner.fit(epochs=12)
    best = max(range(len(curves["valid_iou"])), key=curves["valid_iou"].__getitem__)
    print(f"best IoU {curves['valid_iou'][best]:.3f} in epoch {best + 1}")
