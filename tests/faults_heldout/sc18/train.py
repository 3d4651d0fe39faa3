import torch
from torch.utils.data import DataLoader

from segment import AveragedModel, CellImages, TinyUNet, dice_bce, dice_score

CFG = {
    "n_train": 320,
    "n_valid": 80,
    "micro_batch": 8,
    "accumulate": 2,
    "epochs": 10,
    "lr": 4e-3,
    "ema": 0.98,
}


@torch.no_grad()
def evaluate(model, loader):
    was_training = model.training
    model.eval()
    loss, dice, n = 0.0, 0.0, 0
    for x, y in loader:
        logits = model(x)
        loss += dice_bce(logits, y).item() * len(x)
        dice += dice_score(logits, y).sum().item()
        n += len(x)
    model.train(was_training)
    return loss / n, dice / n


def main():
    torch.manual_seed(77)
    train = DataLoader(CellImages(CFG["n_train"], seed=1, augment=True), CFG["micro_batch"], shuffle=True, drop_last=True)
    valid = DataLoader(CellImages(CFG["n_valid"], seed=2), 40)
    model = TinyUNet()
    averaged = AveragedModel(model, CFG["ema"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG["lr"], weight_decay=1e-3)
    updates = CFG["epochs"] * (len(train) // CFG["accumulate"])
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, CFG["lr"], total_steps=updates, pct_start=0.2)

    for epoch in range(1, CFG["epochs"] + 1):
        model.train()
        running = 0.0
        optimizer.zero_grad()
        for i, (x, y) in enumerate(train, start=1):
            loss = dice_bce(model(x), y)
            (loss / CFG["accumulate"]).backward()
            running += loss.item()
            if i % CFG["accumulate"] == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
                optimizer.step()
                optimizer.zero_grad()
                scheduler.step()
                averaged.update(model)
        raw_loss, raw_dice = evaluate(model, valid)
        ema_loss, ema_dice = evaluate(averaged.module, valid)
        print(
            f"epoch {epoch:2d}  train {running / len(train):.4f}  "
            f"valid {raw_loss:.4f} dice {raw_dice:.4f}  (ema {ema_loss:.4f} dice {ema_dice:.4f})"
        )
    print(f"final dice {ema_dice:.4f}")


if __name__ == "__main__":
    main()
