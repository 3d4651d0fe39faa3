import torch


def restore(model, path, log):
    """Start from the fleet encoder; the classification head is ours and stays fresh."""
    ckpt = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(ckpt["model"], strict=False)
    log.info("restored %s (step %d)", path, ckpt["step"])
    return model
