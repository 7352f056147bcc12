"""The certificate of a server, which is read again when its files change: a renewed one needs no restart."""

from __future__ import annotations

import os
import ssl
from pathlib import Path

import structlog

from arena.regular import read_regular


class CertificateUnusable(OSError):
    """It says which file is wrong, and how; one sentence."""


class Certificate:
    """A chain and its private key, and the context of TLS that shows them to whoever connects next."""

    def __init__(self, chain: Path, key: Path | None) -> None:
        """Raises `OSError` if they cannot be used."""
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
        check_files(self._chain, self._key or self._chain)
        try:
            context.load_cert_chain(
                self._chain, self._key, password=""
            )  # so that it never asks the terminal for one
        except ssl.SSLError as error:
            why = f"{self._chain} or {self._key or self._chain} is damaged: {error}"
            if error.reason == "KEY_VALUES_MISMATCH":
                why = f"the key in {self._key or self._chain} is not the one of the certificate in {self._chain}"
            raise CertificateUnusable(why) from None
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


def check_files(chain: Path, key: Path) -> None:
    """Find what OpenSSL does not tell by its name; raises `CertificateUnusable`."""
    texts = []
    for path in (chain, key):
        try:
            texts.append(read_regular(path))
        except OSError as error:
            raise CertificateUnusable(f"{path} cannot be read: {error.strerror or error}") from None
    certificates, keys = texts
    if b"BEGIN CERTIFICATE" not in certificates:
        swapped = "; are cert and key swapped?" if b"PRIVATE KEY" in certificates else ", as PEM has it"
        raise CertificateUnusable(f"{chain} holds no certificate{swapped}")
    if b"PRIVATE KEY" not in keys:
        raise CertificateUnusable(f"{key} holds no private key, as PEM has it")
    if b"ENCRYPTED" in keys:
        raise CertificateUnusable(
            f"the key in {key} is encrypted, and nobody is asked for its password; decrypt it"
        )
