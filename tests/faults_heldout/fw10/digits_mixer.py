import json
from types import SimpleNamespace

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from timm.loss import LabelSmoothingCrossEntropy
from timm.models.convmixer import ConvMixer
from timm.optim import create_optimizer_v2
from timm.scheduler import CosineLRScheduler
from timm.utils import AverageMeter, ModelEmaV2, accuracy
from torch.utils.data import DataLoader, TensorDataset


def shift(images, max_shift=1):
    """random translation by at most max_shift pixels, per image"""
    padded = torch.nn.functional.pad(images, [max_shift] * 4, value=images.min().item())
    n, _, h, w = images.shape
    dy, dx = torch.randint(0, 2 * max_shift + 1, (2, n)).tolist()
    return torch.stack([padded[i, :, dy[i]:dy[i] + h, dx[i]:dx[i] + w] for i in range(n)])


def datasets(seed):
    digits = load_digits()
    x = torch.tensor(digits.images, dtype=torch.float32)[:, None]
    y = torch.tensor(digits.target)
    tr, va = train_test_split(torch.arange(len(y)).numpy(), test_size=0.2, stratify=digits.target, random_state=seed)
    mean, std = x[tr].mean(), x[tr].std()
    x = (x - mean) / std
    return TensorDataset(x[tr], y[tr]), TensorDataset(x[va], y[va])


@torch.no_grad()
def validate(model, loader, accelerator):
    model.eval()
    loss_m, top1 = AverageMeter(), AverageMeter()
    for x, y in loader:
        out = model(x)
        out, y = accelerator.gather_for_metrics((out, y))
        loss_m.update(torch.nn.functional.cross_entropy(out, y).item(), len(y))
        top1.update(accuracy(out, y, topk=(1,))[0].item(), len(y))
    return loss_m.avg, top1.avg


def main():
    cfg = SimpleNamespace(**json.load(open("settings.json")))
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=cfg.accumulation)
    set_seed(cfg.seed)
    train_set, val_set = datasets(cfg.seed)
    train_dl = DataLoader(train_set, cfg.batch_size, shuffle=True, drop_last=True)
    val_dl = DataLoader(val_set, 180)

    model = ConvMixer(in_chans=1, num_classes=10, **cfg.model)
    optimizer = create_optimizer_v2(model, opt="adamw", lr=cfg.base_lr, weight_decay=cfg.weight_decay)
    model, optimizer, train_dl, val_dl = accelerator.prepare(model, optimizer, train_dl, val_dl)
    updates_per_epoch = -(-len(train_dl) // cfg.accumulation)
    scheduler = CosineLRScheduler(
        optimizer, t_initial=cfg.epochs * updates_per_epoch, lr_min=1e-5, t_in_epochs=False,
        warmup_t=cfg.warmup_epochs * updates_per_epoch, warmup_lr_init=1e-5, warmup_prefix=False)
    scheduler.step_update(0)
    ema = ModelEmaV2(accelerator.unwrap_model(model), decay=cfg.ema_decay)
    criterion = LabelSmoothingCrossEntropy(cfg.smoothing)

    update = 0
    for epoch in range(cfg.epochs):
        model.train()
        meter = AverageMeter()
        for x, y in train_dl:
            with accelerator.accumulate(model):
                loss = criterion(model(shift(x)), y)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), cfg.clip)
                optimizer.step()
                optimizer.zero_grad()
                if accelerator.sync_gradients:
                    update += 1
                    scheduler.step_update(update)
                    ema.update(accelerator.unwrap_model(model))
            meter.update(loss.item(), len(y))
        if epoch % 2 == 1:
            loss, top1 = validate(model, val_dl, accelerator)
            ema_loss, ema_top1 = validate(ema.module, val_dl, accelerator)
            accelerator.print(f"epoch {epoch + 1:2d} train {meter.avg:.3f} val {loss:.3f}/{top1:.1f}% "
                              f"ema {ema_loss:.3f}/{ema_top1:.1f}%")


if __name__ == "__main__":
    main()
