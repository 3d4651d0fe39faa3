"""Which strand carries the poly(A) site of a genomic window?"""
import torch
import yaml
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader, TensorDataset

from strandnet.augment import WindowAugment
from strandnet.encode import CLASSES, one_hot, read_windows
from strandnet.net import StrandNet


def validate(net, codes, labels):
    net.eval()
    with torch.no_grad():
        logits = net(one_hot(codes))
    hit = logits.argmax(1) == labels
    per_class = [hit[labels == c].float().mean().item() for c in range(len(CLASSES))]
    return cross_entropy(logits, labels).item(), hit.float().mean().item(), per_class


def main(config="config.yaml"):
    with open(config) as fh:
        cfg = yaml.safe_load(fh)
    torch.manual_seed(cfg["seed"])
    train = TensorDataset(*read_windows(cfg["data"]["windows"]))
    held_codes, held_labels = read_windows(cfg["data"]["heldout"])
    loader = DataLoader(train, batch_size=cfg["optim"]["batch"], shuffle=True)

    augment = WindowAugment(**cfg["augment"])
    net = StrandNet(**cfg["model"])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["optim"]["lr"], weight_decay=cfg["optim"]["weight_decay"])
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg["optim"]["lr"], epochs=cfg["optim"]["epochs"],
                                                steps_per_epoch=len(loader))

    for epoch in range(cfg["optim"]["epochs"]):
        net.train()
        seen, total = 0, 0.0
        for codes, labels in loader:
            loss = cross_entropy(net(one_hot(augment(codes))), labels)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            seen += len(labels)
            total += loss.item() * len(labels)
        val_loss, acc, per_class = validate(net, held_codes, held_labels)
        detail = " ".join(f"{c}={v:.2f}" for c, v in zip(CLASSES, per_class))
        print(f"epoch {epoch:2d} train {total / seen:.3f} heldout {val_loss:.3f} acc {acc:.3f} ({detail})")


if __name__ == "__main__":
    main()
