"""The reader knew 0 to 4.  The customer now also prints 5 to 9: keep the feature extractor, learn a new read-out."""
import torch
from torch import nn

from backbone import Backbone
from digits_part import select


class Reader(nn.Module):
    def __init__(self, path, classes):
        super().__init__()
        self.backbone = Backbone()
        self.backbone.load_state_dict(torch.load(path))
        self.backbone.requires_grad_(False)
        self.readout = nn.Sequential(nn.Dropout(0.2), nn.Linear(self.backbone.width, classes))

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()  # the running statistics belong to the extractor, too
        return self

    def forward(self, x):
        with torch.no_grad():
            h = self.backbone(x)
        return self.readout(h)


def main():
    torch.manual_seed(33)
    x, y = select([5, 6, 7, 8, 9])
    perm = torch.randperm(len(x))
    fit, held = perm[:650], perm[650:]
    net = Reader("extractor_0to4.pt", 5)
    trainable = [p for p in net.parameters() if p.requires_grad]
    print("training", sum(p.numel() for p in trainable), "of", sum(p.numel() for p in net.parameters()), "weights")
    opt = torch.optim.SGD(trainable, lr=0.004, momentum=0.9, weight_decay=1e-3)
    lossf = nn.CrossEntropyLoss()
    for epoch in range(20):
        net.train()
        run = 0.0
        for idx in fit[torch.randperm(len(fit))].split(32):
            out = net(x[idx])
            loss = lossf(out, y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            out = net(x[held])
        acc = (out.argmax(1) == y[held]).float().mean()
        print(f"{epoch:2d}: train {run / len(fit):.4f} held-out {lossf(out, y[held]):.4f} acc {acc:.4f}")


main()
