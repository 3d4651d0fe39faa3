from pathlib import Path

import torch


def save(path, epoch, model, optimizer, scheduler, best):
    torch.save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict(),
                "scheduler": scheduler.state_dict(), "best": best}, path)


def resume(path, model, optimizer, scheduler):
    """Returns (first epoch to run, best validation value so far)."""
    path = Path(path)
    if not path.exists():
        return 0, float("inf")
    pack = torch.load(path)
    model.load_state_dict(pack["model"])
    optimizer.load_state_dict(pack["optimizer"])
    scheduler.load_state_dict(pack["scheduler"])
    print(f"resumed {path.name} after epoch {pack['epoch']}, best {pack['best']:.3f}")
    return pack["epoch"], pack["best"]
