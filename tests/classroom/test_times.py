"""When learners handed in: only a source that they cannot write is believed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from grader.classroom.download import Download
from grader.classroom.gradebook import Gradebook
from grader.classroom.layout import find_handed_in
from grader.classroom.policy import Policy
from grader.classroom.roster import read_roster, read_times
from grader.classroom.times import EXACT, GIVEN, IN_TIME, LATE, UNKNOWN, read_time
from grader.errors import UsageError
from support import touch
from support.classroom import entry, marks_of


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The time zone of Berlin, where summer time ends on 25 October 2026."""
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be chosen")
@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize(
    ("text", "utc"),
    [
        *(
            (text, "11-19 19:00")
            for text in (
                "2026-11-19 20:00",
                "2026-11-19T19:00:00Z",
                "2026-11-19 19:00:00.000000 UTC",
                "2026-11-19 14:30:00.5 -04:30",
                "19.11.2026 20:00",
                "19/11/2026 20:00",
                "11/19/2026 8:00 pm",
                "Thursday, 19 November 2026, 8:00 PM",
                "Thursday, November 19, 2026, 8:00 PM",
                "Donnerstag, 19. November 2026, 20:00",
                "jeudi 19 novembre 2026, 20:00",
                "jueves, 19 de noviembre de 2026, 20:00",
                "torstai, 19. marraskuuta 2026, 20.00",
                "Perşembe, 19 Kas 2026, 20:00",
                "четверг, 19 ноября 2026, 20:00",
                "2026年 11月 19日(木曜日) 20:00",
                "2026年11月19日 星期四 下午8:00",
                "2026년 11월 19일 (목) 오후 8:00",
            )
        ),
        ("martes, 17 de marzo de 2026, 8:00", "03-17 07:00"),
        ("lundi 1er août 2026, 08:05", "08-01 06:05"),
        ("1 März 2026, 12:05 AM", "02-28 23:05"),
        *(
            (text, None)
            for text in (
                *("", "-", "8:00", "2026-11-19", "2026-11-19 25:00", "31 February 2026 20:00"),
                *("05/11/2026 20:00", "19 listopada 2026, 20:00", "2026-11-19 8:00 μμ"),
                *("2026-11-19 20:00 PST", "0001-01-01 00:00", "9" * 90_000, "a " * 50_000),
            )
        ),
    ],
)
def test_times_are_read_in_any_language_or_not_at_all(text: str, utc: str | None) -> None:
    found = read_time(text)
    assert (found and time.strftime("%m-%d %H:%M", time.gmtime(found))) == utc


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be chosen")
@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize(
    ("day", "hour", "minute", "late"),
    [(24, 23, 59, 0), (25, 0, 0, 1), (25, 23, 59, 1), (26, 0, 0, 2)],
)
def test_a_day_late_is_a_day_by_the_clock_also_if_it_has_25_hours(
    day: int, hour: int, minute: int, late: int
) -> None:
    due, received = (
        datetime(2026, 10, *when).timestamp()  # noqa: DTZ001 - local
        for when in ((24, 23, 59), (day, hour, minute))
    )
    assert Policy(due=due).days_late(entry(received=received)) == late


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be chosen")
@pytest.mark.usefixtures("berlin")
def test_nbgrader_s_times_are_in_utc(tmp_path: Path) -> None:
    stamps = ("2026-11-02 10:00:00", "2026-11-02 10:00:00.000000 UTC", "2026-11-02 11:00:00 +01:00")
    for number, stamp in enumerate(stamps):
        touch(tmp_path / f"l{number}" / "ps1" / "engine.py")
        touch(tmp_path / f"l{number}" / "ps1" / "timestamp.txt", text=stamp)
    found = [time.gmtime(one.received)[2:5] for one in find_handed_in(tmp_path)[1]]
    assert found == [(2, 10, 0)] * 3


ENGINES = ("ada/engine.py", "bob/engine.py", "cem/engine.py")
CANVAS = ("a_1_2_engine.py", "b_LATE_3_4_engine.py", "c_5_6_engine.py")
MOODLE = tuple(f"{name}_50{n}_assignsubmission_file/engine.py" for n, name in enumerate(("A", "B")))
GERMAN = (
    "ID,Vollständiger Name,Status,Bewertung,Bestwertung,Zuletzt geändert (Abgabe),"
    "Zuletzt geändert (Bewertung)\n"
    'Teilnehmer/in500,A,x,,6,"Donnerstag, 19. November 2026, 20:00",-\n'
    "Teilnehmer/in501,B,x,,6,-,-\n"
)


@pytest.mark.parametrize(
    ("files", "roster", "times", "expected"),
    [
        ((*ENGINES, "mal/hw1/engine.py", "mal/hw1/timestamp.txt"), "", "", [UNKNOWN] * 4),
        (CANVAS, "", "", [IN_TIME, LATE, IN_TIME]),
        (CANVAS, "id,name,submitted\n1,a,2026-11-01 10:00\n", "", [EXACT, LATE, IN_TIME]),
        (CANVAS, "", "learner,time\n3,2026-11-01 10:00\n", [IN_TIME, GIVEN, IN_TIME]),
        (MOODLE, "", "", [UNKNOWN] * 2),
        (MOODLE, GERMAN, "", [EXACT, UNKNOWN]),
        (MOODLE, GERMAN, "id,time\n501,2026-11-01 10:00\n", [EXACT, GIVEN]),
        (ENGINES, "id,submitted\nada,soon\nbob,2026-11-01 10:00\n", "", [UNKNOWN, EXACT, UNKNOWN]),
    ],
)
def test_a_time_is_believed_by_its_source(
    tmp_path: Path, files: tuple[str, ...], roster: str, times: str, expected: list[str]
) -> None:
    touch(*(tmp_path / "in" / name for name in files), text="2026-11-01 00:00:00 UTC")
    touch(tmp_path / "r.csv", text=roster or "id\nx\n")
    touch(tmp_path / "t.csv", text=times or "id,time\nx,2026-11-01 10:00\n")
    people, by_hand = read_roster(tmp_path / "r.csv"), read_times(tmp_path / "t.csv")
    download = Download(tmp_path, *find_handed_in(tmp_path / "in"), people, by_hand)
    assert [one.timing for one in download.handed] == expected
    remarks = [*download.remarks({})]
    assert any("'soon'" in line for line in remarks) == ("soon" in roster)
    assert ("times that fit no submission: x" in remarks) == (not times)


def test_a_better_known_time_replaces_the_stored_one(book: Gradebook) -> None:
    book.add(replace(entry(received=100.0), timing=UNKNOWN))
    for received, timing, submitted, last in (
        (50.0, EXACT, 50.0, 50.0),
        (300.0, UNKNOWN, 50.0, 50.0),
        (70.0, EXACT, 50.0, 70.0),
        (60.0, GIVEN, 60.0, 60.0),
        (40.0, GIVEN, 40.0, 40.0),
    ):
        book.handed_in_again(entry().key, received, timing)
        (found,) = book.entries()
        assert (found.submitted, found.as_last.submitted) == (submitted, last)


@pytest.mark.parametrize("timing", [UNKNOWN, LATE])
def test_lateness_that_is_not_known_costs_nothing_or_one_day(timing: str) -> None:
    of_mallory = replace(entry("mal", received=1e9), timing=timing)
    marks = marks_of(entry("ada"), of_mallory, policy=Policy(due=2.0, late_per_day=0.1))
    expected = {
        LATE: (2.7, True, "late by an unknown time, counted as 1 day: -0.3 points", ""),
        UNKNOWN: (None, False, "", "it is not known when this was handed in"),
    }
    found = [(one.points, one.late, one.note, one.reason) for one in marks]
    assert found == [(3, False, "", ""), expected[timing]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("learner,time\nada,soon\n", "the time of 'ada' cannot be read: 'soon'"),
        ("learner,when\nada,2026-11-17 10:00\n", "has no times"),
        ("ada,2026-11-17 10:00\n", "has no id column"),
    ],
)
def test_times_that_cannot_be_read_are_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        read_times(tmp_path / "t.csv")
