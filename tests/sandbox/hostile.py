"""A hostile script: tries to get out, and prints for each attack whether it worked. Standard library only.

Run by the battery inside the sandbox, never by hand. ``sys.argv[1]`` is JSON: where the decoys are.
"""

# ruff: noqa: PTH101, PTH105, PTH108, PTH116, PTH123, PTH208, PTH211
import ctypes
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

T = json.loads(sys.argv[1])
LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER, AF_VSOCK = 0x10000000, 40


def raw(number, *arguments):
    result = LIBC.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def connect(family, kind, address):
    with socket.socket(family, kind) as line:
        line.settimeout(1.5)
        line.connect(address)
        line.send(b"x")


def write(path):
    Path(path).write_text("pwned")


def through_a_link():
    os.symlink(T["home"], "link")
    write("link/pwned")


def rename_over():
    Path("mine").write_text("pwned")
    os.replace("mine", T["victim"])


def environ_of_others():
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if T["secret"].encode() in (folder / "environ").read_bytes():
                return
        except OSError:
            continue
    raise OSError("no secret found")


def chmod_victim():
    before = os.stat(T["victim"]).st_mode
    os.chmod(T["victim"], 0o777)
    if os.stat(T["victim"]).st_mode == before:
        raise OSError("no effect")


def stop_decoy():
    os.kill(T["decoy"], signal.SIGSTOP)
    os.kill(T["decoy"], signal.SIGCONT)


def kill_parent():
    parent = os.getppid()
    if parent <= 1:
        raise OSError("no parent to see")
    os.kill(parent, 0)
    if Path(f"/proc/{parent}/comm").read_text().startswith(("bwrap", "launch")):
        raise OSError("only bubblewrap's own first process")


def ptrace_decoy():
    if LIBC.ptrace(16, T["decoy"], 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "refused")
    LIBC.ptrace(17, T["decoy"], 0, 0)


def memory_of_decoy():
    with open(f"/proc/{T['decoy']}/mem", "rb"):
        pass


def mount_something():
    if LIBC.mount(b"none", b".", b"tmpfs", 0, None) != 0:
        raise OSError(ctypes.get_errno(), "refused")


def new_user_namespace():
    if LIBC.unshare(CLONE_NEWUSER) != 0:
        raise OSError(ctypes.get_errno(), "refused")


def io_uring():
    buffer = ctypes.create_string_buffer(120)
    os.close(raw(425, ctypes.c_long(4), buffer))


def device_node():
    os.mknod("disk", 0o600 | 0o060000, os.makedev(7, 0))
    with open("disk", "rb") as disk:
        disk.read(1)


def unix_datagram():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(b"x", T["datagram"])


def passed_descriptor_pairs():
    one, _two = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", T["datagram"])


def hugging_face_token():
    for base in (T["home"], os.environ["HOME"]):
        for name in ("token", "stored_tokens"):
            try:
                if Path(base, ".cache/huggingface", name).read_text():
                    return
            except OSError:
                continue
    raise OSError("not found")


def shadow_passwords():
    Path("/etc/shadow").read_bytes()


ATTACKS = {
    "tcp_to_a_local_service": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", T["port"])),
    "tcp_to_the_internet": lambda: connect(socket.AF_INET, socket.SOCK_STREAM, ("192.0.2.1", 80)),
    "tcp6_to_a_local_service": lambda: connect(socket.AF_INET6, socket.SOCK_STREAM, ("::1", T["port6"])),
    "udp_to_the_internet": lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("192.0.2.1", 53)),
    "udp_to_a_local_service": lambda: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", T["udp"])),
    "raw_socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    "packet_socket": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3),
    "vsock_to_the_hypervisor": lambda: socket.socket(AF_VSOCK, socket.SOCK_STREAM),
    "unix_socket_by_path": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, T["socket"]),
    "unix_socket_through_a_link": lambda: (
        os.symlink(T["socket"], "s"), connect(socket.AF_UNIX, socket.SOCK_STREAM, "s")),
    "unix_socket_abstract": lambda: connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + T["abstract"]),
    "unix_datagram": unix_datagram,
    "unix_datagram_from_a_pair": passed_descriptor_pairs,
    "write_home": lambda: write(T["home"] + "/pwned"),
    "write_project": lambda: write(T["project"] + "/pwned"),
    "overwrite_script": lambda: write(T["victim"]),
    "truncate": lambda: os.truncate(T["victim"], 0),
    "rename_over": rename_over,
    "hard_link": lambda: (os.link(T["victim"], "hard"), write("hard")),
    "write_through_a_link": through_a_link,
    "chmod": chmod_victim,
    "delete": lambda: os.unlink(T["victim"]),
    "write_tmp": lambda: write(T["elsewhere"] + "/pwned"),
    "read_ssh_key": lambda: Path(T["home"], ".ssh/id_ed25519").read_text(),
    "list_home": lambda: os.listdir(T["home"]).index(".ssh"),
    "hugging_face_token": hugging_face_token,
    "shadow_passwords": shadow_passwords,
    "secret_in_own_environment": lambda: os.environ["SECRET_KEY"],
    "environment_of_others": environ_of_others,
    "signal": stop_decoy,
    "signal_parent": kill_parent,
    "ptrace": ptrace_decoy,
    "memory_of_others": memory_of_decoy,
    "mount": mount_something,
    "user_namespace": new_user_namespace,
    "chroot": lambda: os.chroot("."),
    "io_uring": io_uring,
    "bpf": lambda: raw(321, ctypes.c_long(0), ctypes.create_string_buffer(128), ctypes.c_long(128)),
    "device_node": device_node,
    "message_queue": lambda: raw(240, b"lossdoctor", ctypes.c_long(0o102), ctypes.c_long(0o600), None),
    "set_clock": lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()),
    "host_name": lambda: socket.sethostname("pwned"),
}  # fmt: skip

results = {}
for name, attack in ATTACKS.items():
    try:
        attack()
        results[name] = "worked"
    except BaseException as error:
        results[name] = f"blocked: {type(error).__name__} {error}"[:120]
print(json.dumps(results))
