"""The MCP tools, one typed function a module; each calls one chain and returns a model."""
