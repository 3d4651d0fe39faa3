import numpy as np
import torch

from seg.net import SmallUNet
from seg.runner import Runner

CLASSES = ["background", "disc", "rod"]
EPOCHS, BATCH, LR = 6, 14, 4e-3


def load(path="cells.npz"):
    z = np.load(path)
    images = torch.from_numpy(z["images"].astype(np.float32))[:, None]
    images = (images - images.mean()) / images.std()
    return images, torch.from_numpy(z["masks"].astype(np.int64))


def main():
    torch.manual_seed(24)
    images, masks = load()
    train, test = slice(0, 140), slice(140, None)
    net = SmallUNet(len(CLASSES))
    opt = torch.optim.AdamW(net.parameters(), lr=LR)
    runner = Runner(net, opt, len(CLASSES), class_weight=torch.tensor([0.4, 1.0, 1.0]))
    for epoch in range(1, EPOCHS + 1):
        order = torch.randperm(140).split(BATCH)
        loss, iou, seconds = runner.epoch((images[train][i], masks[train][i]) for i in order)
        test_iou = runner.test(images[test], masks[test], len(CLASSES))
        print(f"epoch {epoch} loss {loss:.3f} train IoU {iou:.3f} test IoU {test_iou:.3f} ({seconds:.1f}s)")


if __name__ == "__main__":
    main()
