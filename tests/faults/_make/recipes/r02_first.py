"""Output and loss, non-finite values, dead units, waiting for data."""
import torch
from build import base, edited, trio, twins
from data import both, image_archives, image_config, table
from data_text import comments, image_archive, metric_digits
from recipes.r01_first import DATA, IMAGE, flat

trio("loss_activation_mismatch", 1, base("cancer_trainer"), base("cancer_trainer",
     ("self.classifier = nn.Linear(hidden, 1)", "self.classifier = nn.Sequential(nn.Linear(hidden, 1), nn.Sigmoid())")),
     "sigmoid before BCEWithLogitsLoss", culprit="return self.loss_fn(outputs, labels)")
trio("loss_activation_mismatch", 2, base("digits_flat", ("nn.CrossEntropyLoss()", "nn.NLLLoss()"), ("    nn.Linear(64, 10),\n", "    nn.Linear(64, 10),\n    nn.LogSoftmax(dim=1),\n"), ("lr=0.1", "lr=0.01")),
     base("digits_flat", ("nn.CrossEntropyLoss()", "nn.NLLLoss()"), ("lr=0.1", "lr=0.01")), "NLLLoss gets raw scores", culprit="loss = criterion(logits, yb)")
export = edited(base("digits_cnn"), [
    ("        return self.fc(x)", "        scores = self.fc(x)\n        return F.softmax(scores, dim=1) if self.probabilities else scores"),
    ("def __init__(self, width=16):\n        super().__init__()", "def __init__(self, width=16, probabilities=False):\n        super().__init__()\n        self.probabilities = probabilities"),
    ("Net().to(device)", "Net(probabilities=args.probabilities).to(device)"),
    ("torch.optim.Adam(model.parameters(), lr=args.lr)", "torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)"),
    ("default=2e-3", "default=0.01"),
    ('    parser.add_argument("--seed"', '    parser.add_argument("--probabilities", action="store_true", help="the network returns class probabilities")\n    parser.add_argument("--seed"')])
twins("loss_activation_mismatch", 1, export, "softmax before cross-entropy, switched on from the command line", sick_args=["--probabilities"],
      culprit="loss = F.cross_entropy(output, target)")

column = ("logits = model(xb)", "logits = model(standardize(xb))")
column2 = ("pred = model(X_test)", "pred = model(standardize(X_test))")
define = "# model\n", "def standardize(x):\n    return (x - x.mean(dim=0)) / {}\n\n\n# model\n"
trio("nan_from_op", 1, base("digits_flat", column, column2, (define[0], define[1].format("(x.std(dim=0) + 1e-2)"))),
     base("digits_flat", column, column2, (define[0], define[1].format("x.std(dim=0)"))), "0/0 where a pixel is constant in the batch",
     culprit="return (x - x.mean(dim=0))", also_ok=["nan_in_data"])
gauss = [("range(1, 41)", "range(1, 26)"), ("self.out = nn.Linear(d_hidden, 1)", "self.mean = nn.Linear(d_hidden, 1)\n        self.var = nn.Linear(d_hidden, 1)"),
         ("loss = loss_fn(pred, yb.unsqueeze(1))", "loss = loss_fn(*pred, yb.unsqueeze(1))"),
         ("val_loss = loss_fn(val_pred, y_va.unsqueeze(1)).item()", "val_loss = loss_fn(*val_pred, y_va.unsqueeze(1)).item()"),
         ("(val_pred[:, 0] - y_va)", "(val_pred[0][:, 0] - y_va)"), ("train mse", "train nll"), ("val mse", "val nll"),
         ("loss_fn = nn.MSELoss()\n", "\n\ndef loss_fn(mean, var, y):\n    return 0.5 * (torch.log(var) + (y - mean) ** 2 / var).mean()\n\n\n")]
trio("nan_from_op", 2, base("diabetes_manual", *gauss, ("return self.out(h)", "return self.mean(h), nn.functional.softplus(self.var(h)) + 1e-3")),
     base("diabetes_manual", *gauss, ("return self.out(h)", "return self.mean(h), torch.relu(self.var(h))")),
     "log and division of a variance that a ReLU sets to 0", culprit="torch.log(var)")
twins("nan_from_op", 1, base("metric_pairs"), "repeated rows give distance 0, whose square root has an infinite gradient",
      sick=metric_digits(300, 500), healthy=metric_digits(0, 500), culprit="torch.sqrt(")
twins("nan_from_op", 2, base("text_pool"), "comments without any word leave attention and pooling nothing to average: 0/0",
      sick=comments(blank=6), healthy=comments(), culprit="attended, _ = self.attention", also_ok=["nan_in_data"])

bias = "# model\n", "def init_weights(m):\n    if isinstance(m, nn.Linear):\n        nn.init.kaiming_uniform_(m.weight)\n        nn.init.constant_(m.bias, {})\n\n\n# model\n"
apply = "criterion = nn.Cross", "model.apply(init_weights)\ncriterion = nn.Cross"
trio("dead_relu", 1, base("digits_flat", (bias[0], bias[1].format("0.01")), apply, ("lr=0.1", "lr=0.05")),
     base("digits_flat", (bias[0], bias[1].format("-6.0")), apply, ("lr=0.1", "lr=0.05")), "biases of -6 switch every unit off",
     culprit="nn.init.constant_(m.bias", parameter="0.bias", also_ok=["bad_initialization"])
minmax = [("lr=2e-3, weight_decay=1e-3", "lr=2e-3"), ("mu, sigma = features[train_idx].mean(0), features[train_idx].std(0)\n", "low, high = features[train_idx].min(0), features[train_idx].max(0)\n"),
          ("features = (features - mu) / sigma", "features = (features - low) / (high - low)"),
          ("h = torch.tanh(self.fc1(x))", "h = torch.relu(self.fc1(x))"), ("h = torch.tanh(self.fc2(h))", "h = torch.relu(self.fc2(h))")]
trio("dead_relu", 2, base("diabetes_manual", *minmax),
     base("diabetes_manual", *minmax, ("        self.out = nn.Linear(d_hidden, 1)\n", "        self.out = nn.Linear(d_hidden, 1)\n        nn.init.uniform_(self.fc1.weight, -0.4, 0.0)\n        nn.init.zeros_(self.fc1.bias)\n")),
     "non-negative inputs meet weights that are all negative", culprit="nn.init.uniform_(self.fc1.weight", parameter="fc1.weight", also_ok=["bad_initialization"])


def warm(shift):
    """A checkpoint of the image project's network, its convolution biases moved by `shift`."""
    def write(folder):
        import importlib.util
        spec = importlib.util.spec_from_file_location("image_model", folder / "model.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        torch.manual_seed(4)
        net = module.ConvNet([16, 32], 64, 10, "relu", 0.1, False)
        state = net.state_dict()
        for name in ("features.0.bias", "features.3.bias"):
            state[name] = state[name] + shift
        torch.save(state, folder / "warm.pt")
    return write


twins("dead_relu", 1, IMAGE, "the checkpoint's convolution units are dead", sick=both(DATA, image_config(), warm(-8.0)),
      healthy=both(DATA, image_config(), warm(0.0)), sick_args=["--init-from", "warm.pt"], healthy_args=["--init-from", "warm.pt"],
      at="warm.pt", parameter="features.0.bias", also_ok=["checkpoint_restore_misuse", "bad_initialization"])
twins("dead_relu", 2, IMAGE, "the configured bias switches every unit off",
      sick=both(DATA, image_config(model={"init_std": 0.1, "init_bias": -5.0})), healthy=both(DATA, image_config(model={"init_std": 0.1, "init_bias": 0.0})),
      at="config.json", parameter="features.0.bias", also_ok=["bad_initialization"])

rows = ("        values, label = self.rows[index]\n", "        values, label = parse(self.path)[index]\n")
trio("dataloader_bottleneck", 1, base("csv_rows"), base("csv_rows", rows, ("EPOCHS = 10", "EPOCHS = 2")), "the CSV file is parsed again for each item",
     culprit="parse(self.path)[index]", data=table("digits", 400, n_val=150))
blur = [("    train_loader = DataLoader(DigitsDataset(\"train\")", "    train_loader = DataLoader(DigitsDataset(\"train\", transform={})"),
        ("default=8)", "default=2)")]
slow = '''def smooth(image):
    """Elastic jitter: every pixel becomes a weighted mean of its neighbourhood."""
    size = image.shape[-1]
    out = torch.zeros_like(image)
    for r in range(size):
        for c in range(size):
            total, weight = 0.0, 0.0
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if 0 <= r + dr < size and 0 <= c + dc < size:
                        w = 4.0 if dr == dc == 0 else random.random()
                        total += w * image[0, r + dr, c + dc].item()
                        weight += w
            out[0, r, c] = total / weight
    return out


class Net'''
quick = '''KERNEL = torch.full((1, 1, 3, 3), 0.04)
KERNEL[0, 0, 1, 1] = 0.68


def smooth(image):
    """Slightly blurred image."""
    return F.conv2d(image[None], KERNEL, padding=1)[0]


class Net'''
trio("dataloader_bottleneck", 2, base("digits_cnn", ("class Net", quick), (blur[0][0], blur[0][1].format("smooth"))),
     base("digits_cnn", ("class Net", slow), (blur[0][0], blur[0][1].format("smooth")), blur[1]), "pixel loops in Python for each image",
     culprit="total += w * image")
twins("dataloader_bottleneck", 1, base("archive_images"), "large images are decompressed and shrunk again for each batch", sick=image_archive(64, 120), sick_args=["--epochs", "16"], healthy_args=["--epochs", "16"],
      healthy=image_archive(1, 120), culprit='self.archive[f"image_')
twins("dataloader_bottleneck", 2, base("archive_images"), "no cache, so each epoch decompresses and shrinks the large images again",
      sick=image_archive(64, 120), healthy=image_archive(64, 120), healthy_args=["--cache", "--epochs", "20"], sick_args=["--epochs", "20"],
      culprit='self.archive[f"image_')
