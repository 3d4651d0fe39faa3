"""The user side: runs inside the user's interpreter and imports only the standard library and torch.

It is loaded by path under a private name (see ``launch.py``), never installed, so nothing of ours can
shadow a module of the user's project. It writes a trace folder: ``records.jsonl``, one JSON object per
line, append-only, valid after a kill at any byte.
"""
