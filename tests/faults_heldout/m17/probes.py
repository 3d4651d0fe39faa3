from collections import defaultdict


class ActivationProbe:
    """Keeps layer outputs so that their statistics can be printed at the end of an epoch."""

    def __init__(self, model, kinds):
        self.outputs = defaultdict(list)
        self.handles = []
        for name, module in model.named_modules():
            if isinstance(module, kinds):
                self.handles.append(module.register_forward_hook(self._hook(name)))

    def _hook(self, name):
        def hook(module, inputs, output):
            self.outputs[name].append(output.detach())
        return hook

    def summary(self):
        return {n: (o[-1].mean().item(), (o[-1] == 0).float().mean().item()) for n, o in self.outputs.items()}
