import torch.nn as nn

ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "sigmoid": nn.Sigmoid, "tanh": nn.Tanh, "none": nn.Identity}


class ConvNet(nn.Module):
    def __init__(self, channels, hidden, classes, activation, dropout, norm):
        super().__init__()
        act = ACTIVATIONS[activation]
        stages, c_in = [], 1
        for c in channels:
            stages.append(nn.Conv2d(c_in, c, 3, padding=1))
            if norm:
                stages.append(nn.BatchNorm2d(c))
            stages += [act(), nn.MaxPool2d(2)]
            c_in = c
        self.features = nn.Sequential(*stages)
        side = 8 // 2 ** len(channels)
        self.neck = nn.Sequential(nn.Flatten(), nn.Linear(c_in * side * side, hidden), act(), nn.Dropout(dropout))
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.head(self.neck(self.features(x)))


def build_model(cfg):
    model = ConvNet(cfg["channels"], cfg["hidden"], cfg["classes"], cfg["activation"], cfg["dropout"], cfg["norm"])
    init_std = cfg.get("init_std")
    if init_std is not None:
        for module in model.modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                nn.init.normal_(module.weight, std=init_std)
                nn.init.constant_(module.bias, cfg.get("init_bias", 0.0))
    for name in cfg.get("freeze", []):
        for parameter in getattr(model, name).parameters():
            parameter.requires_grad = False
    return model
