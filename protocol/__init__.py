"""The wire: messages, framing and versions. Sans-IO: bytes in, messages out; no sockets, no clock."""
