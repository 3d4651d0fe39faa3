import torch


def load_pretrained(model, path):
    """Copies the encoder of a pretraining run; its prediction head is left out."""
    blob = torch.load(path, map_location="cpu", weights_only=True)
    state = {k: v for k, v in blob["model"].items() if not k.startswith("lm_head.")}
    model.load_state_dict(state, strict=False)
    print(f"loaded {path.name}: {len(state)} tensors after {blob['steps']} pretraining steps")
    return model
