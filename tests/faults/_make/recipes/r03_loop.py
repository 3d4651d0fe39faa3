"""Steps, clearing, optimizer contents, registration, freezing, cut graphs."""
from build import base, edited, trio, twins
from data import both, config, image_config, table
from data_text import checkpoint, metric_digits, settings, sonnets, streams, waves
from recipes.r01_first import DATA, IMAGE

# missing_optimizer_step
trio("missing_optimizer_step", 1, base("forecast_lstm"), base("forecast_lstm", ("        optimizer.step()\n", "")), "nothing ever applies the gradients",
     culprit="loss.backward()")
trio("missing_optimizer_step", 2, base("cancer_trainer"), base("cancer_trainer", ("        self.optimizer.step()\n", "        self.optimizer.step\n")),
     "step is named but not called", culprit="self.optimizer.step")
twins("missing_optimizer_step", 1, IMAGE, "64 batches are to be accumulated, an epoch has 38", sick=both(DATA, image_config(optim={"accumulate": 64})),
      healthy=both(DATA, image_config(optim={"accumulate": 2}, data={"batch_size": 16})), culprit="if (i + 1) % accumulate == 0", at="engine.py",
      also_ok=["grad_accumulation_misuse"])

# zero_grad_before_step
trio("zero_grad_before_step", 1, base("diabetes_manual"), base("diabetes_manual", ("        opt.zero_grad()\n        loss.backward()\n", "        loss.backward()\n        opt.zero_grad()\n")),
     "gradients are cleared right after backward", culprit="opt.zero_grad()")
norm = "def train(args", '''def gradient_norm(model):
    total = 0.0
    for p in model.parameters():
        total += p.grad.norm().item() ** 2
    {}return total ** 0.5


def train(args'''
logged = ("        loss.backward()\n        optimizer.step()\n        if batch_idx % args.log_interval == 0:\n",
          "        loss.backward()\n        norm = gradient_norm(model)\n        optimizer.step()\n        if batch_idx % args.log_interval == 0:\n            print(f\"grad norm {norm:.3f}\")\n")
trio("zero_grad_before_step", 2, base("digits_cnn", (norm[0], norm[1].format("")), logged),
     base("digits_cnn", (norm[0], norm[1].format("model.zero_grad()\n    ")), logged), "the helper that reads the norm clears the gradients",
     culprit="model.zero_grad()")
report = base("digits_cnn", (norm[0], norm[1].format("model.zero_grad()\n    ")),
              ("        loss.backward()\n        optimizer.step()\n", "        loss.backward()\n        if args.grad_report:\n            norms.append(gradient_norm(model))\n        optimizer.step()\n"),
              ("def train(args, model, device, train_loader, optimizer, epoch):\n    model.train()\n", "norms = []\n\n\ndef train(args, model, device, train_loader, optimizer, epoch):\n    model.train()\n"),
              ('    parser.add_argument("--seed"', '    parser.add_argument("--grad-report", action="store_true")\n    parser.add_argument("--seed"'))
twins("zero_grad_before_step", 1, report, "the optional report clears the gradients before the step", sick_args=["--grad-report"], culprit="model.zero_grad()")

# optimizer_wrong_params
best = ("loss_fn = nn.MSELoss()\n", "loss_fn = nn.MSELoss()\n{}")
trio("optimizer_wrong_params", 1, base("diabetes_manual", ("# Disease", "import copy\n\n# Disease")),
     base("diabetes_manual", ("# Disease", "import copy\n\n# Disease"), ("for epoch in range(1, 41):\n", "initial = net\nnet = copy.deepcopy(net)\n\nfor epoch in range(1, 41):\n")),
     "the network in use is a copy made after the optimizer", culprit="opt = torch.optim.Adam(")
trio("optimizer_wrong_params", 2, base("ring_gan"), base("ring_gan", ("opt_g = optim.Adam(G.parameters()", "opt_g = optim.Adam(D.parameters()")),
     "the generator's optimizer holds the discriminator", culprit="opt_g = optim.Adam", parameter=None, also_ok=["optimizer_missing_params"])
resume = base("digits_cnn", ("    for epoch in range(1, args.epochs + 1):\n", "    if args.width:\n        model = Net(args.width).to(device)\n    for epoch in range(1, args.epochs + 1):\n"),
              ('    parser.add_argument("--seed"', '    parser.add_argument("--width", type=int, default=0)\n    parser.add_argument("--seed"'))
twins("optimizer_wrong_params", 1, resume, "with --width the network is built again after the optimizer", sick_args=["--width", "16"],
      culprit="optimizer = torch.optim.Adam(")

# unregistered_params
deep = [("lr=0.1", "lr=0.05")]
listed = '''class Net(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = {}
        self.head = nn.Linear(sizes[-1], 10)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.head(x)


model = Net([64, 12, 12, 12])
criterion'''
old_model = '''model = nn.Sequential(
    nn.Linear(64, 128),
    nn.ReLU(),
    nn.Linear(128, 64),
    nn.ReLU(),
    nn.Linear(64, 10),
)
criterion'''
comp = "[nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:])]"
trio("unregistered_params", 1, base("digits_flat", (old_model, listed.format(f"nn.ModuleList({comp})")), *deep),
     base("digits_flat", (old_model, listed.format(comp)), *deep), "the hidden layers sit in a plain list", culprit="self.layers = [",
     also_ok=["optimizer_missing_params"])
experts = [("        self.fc1 = nn.Linear(d_in, d_hidden)\n", "        self.fc1 = nn.Parameter({0}torch.randn(d_hidden, d_in) / d_in**0.5{1})\n"),
           ("torch.tanh(self.fc1(x))", "torch.tanh(x @ self.fc1.T)"), ("d_hidden=24", "d_hidden=2"),
           ("        self.fc2 = nn.Linear(d_hidden, d_hidden)\n", "        self.fc2 = nn.Parameter({0}torch.randn(d_hidden, d_hidden) / d_hidden**0.5{1})\n"),
           ("torch.tanh(self.fc2(h))", "torch.tanh(h @ self.fc2.T)")]
fill = lambda a, b: [(o, n.replace("nn.Parameter({0}", a).replace("{1})", b)) for o, n in experts]
trio("unregistered_params", 2, base("diabetes_manual", *fill("nn.Parameter(", ")")), base("diabetes_manual", *fill("(", ").requires_grad_()")),
     "the hidden weights are plain tensors", culprit="self.fc1 = (", also_ok=["optimizer_missing_params"])
stack = base("text_pool", ("        self.head = nn.Linear(dim, 1)\n", "        self.extra = [nn.Linear(dim, dim) for _ in range(depth)]\n        self.head = nn.Linear(dim, 1)\n"),
             ("dim=32, heads=2)", "dim=32, heads=2, depth=0)"), ("        return self.head(pooled).squeeze(-1)", "        for layer in self.extra:\n            pooled = torch.relu(layer(pooled))\n        return self.head(pooled).squeeze(-1)"))
cfg_stack = base("seq_class", ("        self.fc = nn.Linear(hidden, n_classes)\n", "        self.extra = [nn.Linear(hidden, hidden) for _ in range(extra)]\n        self.fc = nn.Linear(hidden, n_classes)\n"),
                 ('cell="gru"):', 'cell="gru", extra=0):'), ("        return self.fc(out[:, -1])", "        h = out[:, -1]\n        for layer in self.extra:\n            h = torch.relu(layer(h))\n        return self.fc(h)"),
                 ('settings.get("cell", "gru"))', 'settings.get("cell", "gru"), settings.get("extra", 0))'))
twins("unregistered_params", 1, cfg_stack, "extra layers, kept in a plain list, appear only in the sick settings",
      sick=both(waves(), settings(epochs=10, hidden=8, extra=4)), healthy=both(waves(), settings(epochs=16, hidden=8, extra=0, lr=0.01)),
      culprit="self.extra = [", also_ok=["optimizer_missing_params"])

# frozen_params
trio("frozen_params", 1, base("cancer_trainer", ("hidden: int = 32", "hidden: int = 8")), base("cancer_trainer", ("hidden: int = 32", "hidden: int = 8"),
     ("        self.classifier = nn.Linear(hidden, 1)\n", "        for parameter in self.body.parameters():\n            parameter.requires_grad = False\n        self.classifier = nn.Linear(hidden, 1)\n"),
     ("decay = [p for n, p in self.model.named_parameters() if not", "decay = [p for n, p in self.model.named_parameters() if p.requires_grad and not"),), "the untrained body is frozen",
     culprit="parameter.requires_grad = False", parameter="body.0.weight")
trio("frozen_params", 2, base("char_gru"), base("char_gru", ("model = CharGRU(len(vocab), HIDDEN)\n", "model = CharGRU(len(vocab), HIDDEN)\nmodel.gru.requires_grad_(False)\nmodel.embed.requires_grad_(False)\n")),
     "the untrained recurrent layer and embedding are frozen", culprit="model.gru.requires_grad_(False)", parameter="gru.weight_ih_l0", data=sonnets())
gradual = base("digits_cnn", ("        self.fc = nn.Linear(2 * width * 4, 10)\n", "        self.fc = nn.Linear(2 * width * 4, 10)\n        self.body = nn.ModuleList([self.conv1, self.bn1, self.conv2, self.bn2])\n"),
               ("width=16", "width=6"),
               ("    for epoch in range(1, args.epochs + 1):\n", "    model.body.requires_grad_(False)\n    for epoch in range(1, args.epochs + 1):\n        if epoch == args.unfreeze_epoch:\n            model.body.requires_grad_(True)\n"),
               ("default=2e-3", "default=5e-3"), ('    parser.add_argument("--seed"', '    parser.add_argument("--unfreeze-epoch", type=int, default=2)\n    parser.add_argument("--seed"'))
twins("frozen_params", 1, gradual, "the body would thaw in epoch 50 of 10", sick_args=["--unfreeze-epoch", "50", "--epochs", "10"],
      healthy_args=["--unfreeze-epoch", "2", "--epochs", "10"], culprit="model.body.requires_grad_(False)", parameter="conv1.weight")
twins("frozen_params", 2, IMAGE, "the configuration freezes layers that were never trained",
      sick=both(DATA, image_config(model={"freeze": ["features", "neck"], "hidden": 12})), healthy=both(DATA, image_config(model={"freeze": [], "hidden": 24})),
      at="config.json", parameter="features.0.weight")

# graph_detached
trio("graph_detached", 1, base("forecast_lstm"), base("forecast_lstm", ("loss = criterion(model(xb), yb)\n", "prediction = model(xb).detach().requires_grad_()\n        loss = criterion(prediction, yb)\n")),
     "the prediction is detached before the loss", culprit=".detach().requires_grad_()")
trio(
     "graph_detached", 2, base("cancer_trainer", ("hidden: int = 32", "hidden: int = 6")), base("cancer_trainer", ("hidden: int = 32", "hidden: int = 6"),
     ("        return self.classifier(self.body(features)).squeeze(-1)", "        hidden = torch.tensor(self.body(features).tolist())\n        return self.classifier(hidden).squeeze(-1)")),
     "the body's output is rebuilt as a new tensor", culprit="hidden = torch.tensor(", parameter="body.0.weight")
numpy_features = base("digits_cnn", ("        x = self.dropout(torch.flatten(x, 1))\n", "        x = self.dropout(torch.flatten(x, 1))\n        if self.whiten:\n            x = torch.from_numpy(pca_whiten(x.detach().numpy()))\n"),
                      ("width=16):\n        super().__init__()", "width=10, whiten=False):\n        super().__init__()\n        self.whiten = whiten"),
                      ("class Net", "def pca_whiten(features):\n    centred = features - features.mean(0)\n    return centred / (centred.std(0) + 1e-3)\n\n\nclass Net"),
                      ("Net().to(device)", "Net(whiten=args.whiten).to(device)"), ("default=2e-3", "default=5e-3"),
                      ('    parser.add_argument("--seed"', '    parser.add_argument("--whiten", action="store_true")\n    parser.add_argument("--seed"'))
twins("graph_detached", 1, numpy_features, "with --whiten the features pass through numpy, so the convolutions get no gradient", sick_args=["--whiten"],
      culprit="x.detach().numpy()", parameter="conv1.weight")
