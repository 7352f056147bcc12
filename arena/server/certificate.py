"""The certificate of a server, which is read again when its files change: a renewed one needs no restart."""

from __future__ import annotations

import os
import ssl
from pathlib import Path

import structlog


class Certificate:
    """A chain and its private key, and the context of TLS that shows them to whoever connects next."""

    def __init__(self, chain: Path, key: Path | None) -> None:
        """Raises `ssl.SSLError` or another `OSError` if they cannot be used."""
        self._chain, self._key = chain, key
        self._seen = self._state()
        self.context = self._loaded(ssl.create_default_context(ssl.Purpose.CLIENT_AUTH))

    def refresh(self) -> None:
        """Take up files that have changed; those that cannot be used change nothing, and are logged once."""
        state = self._state()
        if state == self._seen:
            return
        self._seen = state
        log = structlog.get_logger()
        try:
            self._loaded(
                ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            )  # first apart: half of a pair must not be shown
            self._loaded(self.context)
        except OSError as error:
            log.error("certificate-not-read", chain=str(self._chain), error=str(error))
        else:
            log.info("certificate-read", chain=str(self._chain))

    def _loaded(self, context: ssl.SSLContext) -> ssl.SSLContext:
        context.load_cert_chain(
            self._chain, self._key, password=""
        )  # so that it never asks the terminal for one
        return context

    def _state(self) -> list[tuple[int, ...]]:
        """Changes when a file does."""
        states: list[tuple[int, ...]] = []
        for path in (self._chain, self._key or self._chain):
            try:
                status = os.stat(path)
            except OSError:
                states.append(())
            else:
                states.append((status.st_ino, status.st_size, status.st_mtime_ns))
        return states
