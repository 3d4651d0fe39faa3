import torch


def load_pretrained(model, path):
    """The task head differs from the pre-training one, hence strict=False and no head weights."""
    state = torch.load(path, map_location="cpu", weights_only=True)["model"]
    state = {k: v for k, v in state.items() if not k.startswith("head.")}
    model.load_state_dict(state, strict=False)
    return model
