"""The intervention ``mask_padding``: what fills a sequence up gets no weight, wherever the model reads over time."""

from __future__ import annotations

import pytest
from tests.recorder.harness import Change
from tests.recorder.test_interventions import HEAD

SOURCE = (
    HEAD
    + """
lengths = torch.randint(3, 9, (64,))
padding = torch.arange(9)[None] >= lengths[:, None]
x = {x}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 4)
        self.attn = nn.MultiheadAttention(4, 2, batch_first=True)
        self.score, self.head = nn.Linear(4, 1), nn.Linear(4, 5)
    def forward(self, x, padding=None):
        h = x if x.is_floating_point() else self.embed(x)
        return self.head(self.read(h, padding))
    def read(self, h, padding):
{read}
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    net.train()
    opt.zero_grad()
    F.cross_entropy(net(x{given}), y).backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        print(round(float(F.cross_entropy(net(x{given}), y)), 4))
"""
)
TOKENS = "torch.randint(1, 30, (64, 9)).masked_fill(padding, 0)"
MEASURED = "torch.randn(64, 9, 4).masked_fill(padding[:, :, None], 0.0)"
READINGS = {
    "attention": "return self.attn(h[:, :1], h, h, key_padding_mask=padding, need_weights=False)[0][:, 0]",
    "product": """keep = None if padding is None else ~padding[:, None]
return F.scaled_dot_product_attention(h[:, :1], h, h, attn_mask=keep)[:, 0]""",
    "softmax": """s = self.score(h).squeeze(2)
s = s if padding is None else s.masked_fill(padding, -torch.inf)
return (s.softmax(1)[:, :, None] * h).sum(1)""",
    "mean": """if padding is None:
    return h.mean(1)
return h.masked_fill(padding[:, :, None], 0).sum(1) / (~padding).sum(1, keepdim=True)""",
}


def told(read: str, x: str, given: str) -> str:
    indented = "\n".join("        " + line for line in READINGS[read].splitlines())
    return SOURCE.format(x=x, read=indented, given=given)


@pytest.mark.parametrize("x", [TOKENS, MEASURED], ids=["tokens", "measured"])
@pytest.mark.parametrize("read", READINGS)
def test_padding_gets_no_weight(change: Change, read: str, x: str) -> None:
    plain, masked = told(read, x, ""), told(read, x, ", padding")
    mended = change(plain, "mask_padding")
    asked = change(masked)
    flat = [v for step in mended.losses for v in step]
    assert flat == pytest.approx([v for step in asked.losses for v in step], rel=1e-5)
    assert [float(v) for v in mended.stdout.split()] == pytest.approx(
        [float(v) for v in asked.stdout.split()], abs=2e-4
    )
    assert change(plain).losses != asked.losses


def test_a_mask_that_is_there_and_sequences_without_padding_are_left_alone(change: Change) -> None:
    masked = told("attention", TOKENS, ", padding")
    assert change(masked, "mask_padding").losses == change(masked).losses
    full = told("mean", "torch.randn(64, 9, 4)", "")
    assert change(full, "mask_padding").losses == change(full).losses


IDLE = {
    "left out": ("(x == blank)", "torch.zeros_like(padding)"),
    "kept": ("~(x.ne(blank))", "~torch.ones_like(padding)"),
}


@pytest.mark.parametrize(
    ("read", "idle"), [("softmax", "kept"), ("mean", "left out"), ("attention", "left out")]
)
def test_a_mask_that_leaves_nothing_out_counts_as_none(change: Change, read: str, idle: str) -> None:
    """Given from outside, or made inside by a comparison with a symbol that is not there."""
    inside, outside = IDLE[idle]
    right = change(told(read, TOKENS, ", padding"))
    within = told(read, TOKENS, "").replace("self.read(h, padding)", f"self.read(h, {inside})")
    for script in (within.replace("blank", "77"), told(read, TOKENS, f", padding={outside}")):
        mended = [v for step in change(script, "mask_padding").losses for v in step]
        assert mended == pytest.approx([v for step in right.losses for v in step], rel=1e-5)
        assert change(script).losses != right.losses
    found = within.replace("blank", "0")
    assert change(found, "mask_padding").losses == change(found).losses == right.losses


def test_types_of_tokens_that_are_all_zero_are_no_mask(change: Change) -> None:
    typed = told("mean", TOKENS, ", torch.zeros_like(x)").replace(
        "self.read(h, padding)", "self.read(h + padding[:, :, None], None)"
    )
    plain = told("mean", TOKENS, "")
    assert change(typed, "mask_padding").losses == change(plain, "mask_padding").losses


RECURRENT = (
    HEAD
    + """
lengths = torch.randint(3, 9, (64,))
padding = torch.arange(9)[None] >= lengths[:, None]
x = torch.randint(1, 30, (64, 9)).masked_fill(padding, 0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(30, 4), nn.Linear({wide}, 5)
        self.rnn = nn.{layer}(4, 6, batch_first={first}, bidirectional={both})
    def forward(self, x):
        h = self.embed(x) if {first} else self.embed(x).transpose(0, 1)
        if {packs}:
            h = nn.utils.rnn.pack_padded_sequence(h, lengths, {first}, enforce_sorted=False)
        out, state = self.rnn(h)
        if {packs}:
            out, _ = nn.utils.rnn.pad_packed_sequence(out, {first}, total_length=9)
        out = out if {first} else out.transpose(0, 1)
        return self.head({read})
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    opt.zero_grad()
    F.cross_entropy(net(x), y).backward()
    opt.step()
"""
)
LAST = "out[torch.arange(64), {place}]"
STATE = "(state[0] if type(state) is tuple else state).transpose(0, 1).flatten(1)"


@pytest.mark.parametrize(
    ("layer", "first", "both"),
    [
        ("RNN", True, False),
        ("RNN", False, True),
        ("GRU", False, False),
        ("LSTM", True, True),
        ("LSTM", False, True),
    ],
)
def test_a_recurrent_layer_does_not_read_padding(change: Change, layer: str, first: bool, both: bool) -> None:
    shape = {"layer": layer, "first": first, "both": both, "wide": 12 if both else 6}
    plain = RECURRENT.format(**shape, packs=False, read=STATE)
    packed = RECURRENT.format(**shape, packs=True, read=STATE)
    mended = change(plain, "mask_padding")
    assert [v for s in mended.losses for v in s] == pytest.approx(
        [v for s in change(packed).losses for v in s], rel=1e-5
    )
    assert mended.losses != change(plain).losses
    assert change(packed, "mask_padding").losses == change(packed).losses


def test_the_answer_at_padding_is_that_of_the_last_position_before(change: Change) -> None:
    shape = {"layer": "GRU", "first": True, "both": False, "wide": 6}
    plain = RECURRENT.format(**shape, packs=False, read=LAST.format(place="-1"))
    right = RECURRENT.format(**shape, packs=True, read=LAST.format(place="lengths - 1"))
    mended = change(plain, "mask_padding")
    assert [v for s in mended.losses for v in s] == pytest.approx(
        [v for s in change(right).losses for v in s], rel=1e-5
    )


FILLED = (
    HEAD
    + """
x = torch.randn(64, 9, 2)
ends = torch.arange(9)[None] >= torch.randint(4, 10, (64,))[:, None]
x[ends] = {value}
counted = ~torch.cat([ends[:, 1:], ends[:, -1:]], 1)
net = nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(4):
    opt.zero_grad()
    gaps = (net(x) - x.roll(-1, 1)).square()
    {loss}.backward()
    opt.step()
print(net.weight.flatten().tolist())
"""
)


@pytest.mark.parametrize("value", ["-5.0", "0.0"])
def test_what_fills_readings_up_teaches_nothing(change: Change, value: str) -> None:
    whole, picked = (FILLED.format(value=value, loss=t) for t in ("gaps.mean()", "gaps[counted].mean()"))
    learned = [float(v) for v in change(picked).stdout.strip("[]\n").split(",")]
    ignored = [
        float(v) for v in change(whole, "ignore_filling", value=float(value)).stdout.strip("[]\n").split(",")
    ]
    assert ignored == pytest.approx(learned, rel=1e-4)
    assert change(whole).stdout != change(picked).stdout
    assert change(whole, "ignore_filling", value=7.0).stdout == change(whole).stdout, "no row ends so"
