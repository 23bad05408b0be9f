"""Logs of matches: files of lines of JSON, and whatever goes wrong with them."""

from __future__ import annotations

import json
import logging
import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from ggp.errors import InputError
from ggp.match import log as module
from ggp.match.log import MatchLog, MatchLogs


def lines(file) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_folder_is_made_with_all_above_it(tmp_path) -> None:
    folder = tmp_path / "a" / "b"
    MatchLogs(folder)
    assert folder.is_dir()
    MatchLogs(folder)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("below", "why"), [("", "a file is there, where logs need a folder"), ("/b", "Not a directory")]
)
def test_a_file_in_the_place_of_the_folder_is_an_error_of_input(tmp_path, below, why) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(InputError) as error:
        MatchLogs(tmp_path / f"a{below}")
    assert str(error.value) == f"{tmp_path}/a{below}: {why}"


def test_two_players_keep_their_logs_in_one_folder(tmp_path, monkeypatch) -> None:
    """Though their matches begin in the same second."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    monkeypatch.setattr(module, "datetime", SimpleNamespace(now=lambda zone: now))
    for logs in (MatchLogs(tmp_path), MatchLogs(tmp_path)):
        for _ in range(2):
            log = logs.new()
            log.write("start")
            log.close()
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        f"20260101T000000-00000{n}.jsonl" for n in (1, 2, 3, 4)
    ]
    assert all(len(lines(file)) == 1 for file in tmp_path.iterdir())


def test_each_match_has_a_file_of_its_own_named_by_time_and_number(tmp_path) -> None:
    logs = MatchLogs(tmp_path)
    for number in range(3):
        log = logs.new()
        log.write("start", number=number)
        log.close()
    files = sorted(tmp_path.iterdir(), key=lambda file: file.name.partition("-")[2])
    names = [re.fullmatch(r"\d{8}T\d{6}-(\d{6})\.jsonl", file.name) for file in files]
    assert [name and name[1] for name in names] == ["000001", "000002", "000003"]
    assert [lines(file)[0]["number"] for file in files] == [0, 1, 2]


def test_a_line_has_the_time_in_milliseconds_the_event_and_the_rest(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: 12.34567))
    log = MatchLogs(tmp_path).new()
    log.write("answer", reply="(x\ny)", turn=3)
    log.write("end")
    (file,) = tmp_path.iterdir()
    # Each line is there as soon as it is written.
    assert lines(file) == [
        {"time": 12.346, "event": "answer", "reply": "(x\ny)", "turn": 3},
        {"time": 12.346, "event": "end"},
    ]
    log.close()
    log.write("late")
    log.close()
    assert len(lines(file)) == 2


def test_without_a_folder_there_are_no_logs(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    log = MatchLogs(None).new()
    log.write("start")
    log.close()
    assert list(tmp_path.iterdir()) == []


def test_a_match_whose_file_cannot_be_made_has_no_log(tmp_path, caplog) -> None:
    logs = MatchLogs(tmp_path / "logs")
    (tmp_path / "logs").rmdir()
    log = logs.new()
    log.write("start")
    log.close()
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "no log of this match" in caplog.text


@pytest.fixture
def full():
    """A file on a disk without any room."""
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    with suppress(OSError), open("/dev/full", "w") as file:
        yield file


def test_a_disk_that_is_full_ends_the_log_and_not_the_match(full, caplog) -> None:
    log = MatchLog(full)
    for _ in range(3):
        log.write("start")
    log.close()
    assert caplog.text.count("the log of this match ends here") == 1
    assert full.closed


def test_what_cannot_be_written_at_the_end_is_told(full, caplog) -> None:
    full.write("x")
    log = MatchLog(full)
    log.close()
    assert caplog.text.count("the log of this match is not whole") == 1
    log.close()
    log.write("more")
    assert len(caplog.records) == 1
