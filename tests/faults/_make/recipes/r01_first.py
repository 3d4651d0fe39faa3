"""Gradient clearing, learning rate, optimizer contents."""
from build import base, case, edited, trio, twins
from data import both, image_archives, image_config, table

IMAGE = {f"{m}.py": base(f"image_project.{m}") for m in ("train", "data", "model", "optim", "engine")}
DATA = image_archives()

flat = base("digits_flat")
trio("missing_zero_grad", 1, flat, base("digits_flat", ("        optimizer.zero_grad()\n", "")),
     "no call clears the gradients", culprit="loss.backward()")
trio("missing_zero_grad", 2, base("cancer_trainer"), base(
    "cancer_trainer", ("        self.optimizer.zero_grad()\n", ""),
    ("            for batch in self.train_loader:\n", "            self.optimizer.zero_grad()\n            for batch in self.train_loader:\n"),
    ("        nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)\n", ""),
    ("    max_grad_norm: float = 5.0\n", "")),
    "gradients are cleared once an epoch, the optimizer steps on each batch", culprit="loss.backward()")
cycle = edited(base("digits_cnn"), [
    ("        optimizer.zero_grad()\n", "        if batch_idx % args.accumulate == 0:\n            optimizer.zero_grad()\n"),
    ('    parser.add_argument("--seed"', '    parser.add_argument("--accumulate", type=int, default=1)\n    parser.add_argument("--seed"'),
    ("torch.optim.Adam(model.parameters(), lr=args.lr)", "torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)"),
    ("default=2e-3", "default=0.05")])
twins("missing_zero_grad", 1, cycle, "gradients are cleared once in 64 batches but applied on each", sick_args=["--accumulate", "64"],
      healthy_args=["--accumulate", "1"], also_ok=["grad_accumulation_misuse"], culprit="if batch_idx % args.accumulate")

trio("lr_too_high", 1, flat, base("digits_flat", ("lr=0.1,", "lr=3.0,")), "rate 30 times too high", culprit="torch.optim.SGD")
trio("lr_too_high", 2, base("forecast_lstm"), base("forecast_lstm", ("lr=5e-3", "lr=1.0")), "Adam at a rate of 1", culprit="lr=1.0")
twins("lr_too_high", 1, IMAGE, "configured rate makes AdamW collapse", sick=both(DATA, image_config(optim={"lr": 0.3})),
      healthy=both(DATA, image_config()), at="config.json")
twins("lr_too_high", 2, base("table_config"), "configured rate far too high",
      sick=both(table("wine"), __import__("data").config(lr=1.0, epochs=40)),
      healthy=both(table("wine"), __import__("data").config(lr=1e-3, epochs=40)), at="config.json")

trio("lr_too_low", 1, flat, base("digits_flat", ("lr=0.1,", "lr=1e-5,")), "rate 10000 times too low", culprit="torch.optim.SGD")
trio("lr_too_low", 2, base("digits_cnn"), base("digits_cnn", ("default=2e-3", "default=1e-7")), "Adam at 1e-7", culprit="torch.optim.Adam",
     also_ok=["insufficient_training"])
twins("lr_too_low", 1, IMAGE, "configured rate far too low", sick=both(DATA, image_config(optim={"lr": 1e-7})),
      healthy=both(DATA, image_config()), at="config.json", also_ok=["insufficient_training"])
twins("lr_too_low", 2, base("digits_cnn", ("torch.optim.Adam(model.parameters(), lr=args.lr)", "torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)")),
      "rate given on the command line is far too low", sick_args=["--lr", "1e-6"], healthy_args=["--lr", "0.05"], also_ok=["insufficient_training"],
      culprit="torch.optim.SGD")

trio("optimizer_missing_params", 1, base("cancer_trainer"), base(
    "cancer_trainer",
    ("        decay = [p for n, p in self.model.named_parameters() if not n.endswith(\"bias\")]\n        no_decay = [p for n, p in self.model.named_parameters() if n.endswith(\"bias\")]\n",
     "        decay = [p for n, p in self.model.classifier.named_parameters() if not n.endswith(\"bias\")]\n        no_decay = [p for n, p in self.model.classifier.named_parameters() if n.endswith(\"bias\")]\n"),
    ("hidden: int = 32", "hidden: int = 6")),
    "only the classifier's parameters reach the optimizer", culprit="torch.optim.SGD", parameter="body.0.weight")
late = edited(base("digits_cnn"), [
    ("        self.fc = nn.Linear(2 * width * 4, 10)\n\n    def", "        self.fc = None\n\n    def"),
    ("        return self.fc(x)", "        if self.fc is None:\n            self.fc = nn.Linear(x.shape[1], 10)\n            nn.init.normal_(self.fc.weight, std=0.01)\n        return self.fc(x)"),
    ("torch.optim.Adam(model.parameters(), lr=args.lr)", "torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=1e-3)"),
    ("default=2e-3", "default=0.01")])
fixed = edited(late, [("    optimizer = torch", "    model(torch.zeros(2, 1, 8, 8, device=device))\n    optimizer = torch")])
trio("optimizer_missing_params", 2, fixed, late, "the last layer is made in the first forward pass, after the optimizer",
     culprit="torch.optim.SGD", parameter="fc.weight")
twins("optimizer_missing_params", 1, IMAGE, "the configured groups leave out the convolutions and the neck",
      sick=both(DATA, image_config(optim={"groups": {"head": 1.0}, "lr": 0.002}, model={"hidden": 16})),
      healthy=both(DATA, image_config(model={"hidden": 16})), culprit="return torch.optim.AdamW(", at="optim.py", parameter="features.0.weight")
