import torch


class ActivationProbe:
    """Looks at the outputs of chosen layers while the network runs."""

    def __init__(self, net, names):
        self.records = {name: [] for name in names}
        modules = dict(net.named_modules())
        self.handles = [modules[name].register_forward_hook(self._hook(name)) for name in names]

    def _hook(self, name):
        def hook(module, inputs, output):
            self.records[name].append(output.detach().clone())
        return hook

    def summary(self):
        parts = []
        for name, rec in self.records.items():
            last = rec[-1]
            parts.append(f"{name}: mean {last.mean():.3f} zero {(last <= 0).float().mean():.2f}")
        return "; ".join(parts)
