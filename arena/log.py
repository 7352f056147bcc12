"""Logs go to stderr, for people or as JSON lines; the renderers escape what came from outside."""

from __future__ import annotations

import io
import logging
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog

from protocol.errors import printable


def configure(form: str = "console", *, verbose: bool = False) -> None:
    """Set up structlog for this process; `form` is `console` or `json`."""
    renderer: structlog.typing.Processor
    if form == "json":
        renderer = structlog.processors.JSONRenderer()
    else:
        renderer = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            exception_formatter=structlog.dev.plain_traceback,  # the pretty one takes seconds, in the loop
        )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info if form == "json" else _on_one_line,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO if verbose else logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(cast(TextIO, _Stderr())),
        cache_logger_on_first_use=True,
    )


def steps() -> structlog.typing.FilteringBoundLogger:
    """A logger for the steps of a whole server, which are told without `verbose` too though nothing is wrong."""
    logger = structlog.wrap_logger(None, wrapper_class=structlog.make_filtering_bound_logger(logging.INFO))
    return cast(structlog.typing.FilteringBoundLogger, logger)


class _Stderr(io.TextIOBase):
    """Standard error for logs: one that nobody reads any more must not end the server."""

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            return sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            sys.stderr.flush()


def _on_one_line(
    logger: structlog.typing.WrappedLogger, method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Escape what a terminal would obey or take for a line end: the console renderer does so only for some."""
    return {key: printable(value) if isinstance(value, str) else value for key, value in event.items()}
