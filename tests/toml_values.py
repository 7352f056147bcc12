"""A value of each type that TOML has, for tests of files of settings."""

from __future__ import annotations

VALUES = {
    "text": '"x"',
    "whole number": "1",
    "number": "1.5",
    "true or false": "true",
    "date": "1979-05-27",
    "time": "07:32:00",
    "date and time": "1979-05-27T07:32:00",
    "moment": "1979-05-27T07:32:00Z",
    "list": "[]",
    "list of texts": '["x"]',
    "list of dates": "[1979-05-27]",
    "table": "{}",
    "list of tables": "[{}]",
}
