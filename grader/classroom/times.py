"""When something was handed in: how reliable the time is, and times as course systems write them.

The time of a file or a folder is not a time of submission: learners can set it, and a download
changes it.
"""

from __future__ import annotations

import re
import time
import unicodedata
from datetime import datetime

UNKNOWN = ""
IN_TIME, LATE = "in time", "late"  # Canvas says no more than that
EXACT = "exact"
GIVEN = "given"  # by the instructor
STRENGTH = {UNKNOWN: 0, IN_TIME: 1, LATE: 1, EXACT: 2, GIVEN: 3}


def plain(text: str) -> str:
    """Return a text in lower case and without accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(letter for letter in parts if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", letters)


# how the months begin in languages that Moodle writes, unless two languages disagree (`listopada`)
_MONTHS = {
    plain(word): month
    for month, words in enumerate(
        (
            "jan gen ene oca tamm sty led янв",
            "feb fev helm sub lut uno фев",
            "mar maa brez мар",
            "apr abr avr huht nis kwi dub апр",
            "may mai maj mag mei touk kvet май мая",
            "jun juin giu kesa haz cze cervn июн",
            "jul juil lug hein tem lipc cervenc июл",
            "aug ago aou elo agu sie srpna авг",
            "sep set szep syys eyl wrz zari сен",
            "oct okt ott out loka eki paz rijn окт",
            "nov marras kas listopadu ноя",
            "dec dez dic des joul ara gru pros дек",
        ),
        1,
    )
    for word in words.split()
}
_WORD = r"(?P<word>[^\W\d_]{3,})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_DATES = [
    re.compile(pattern)
    for pattern in (
        rf"{_YEAR}[-/.年년]\s*(?P<month>\d{{1,2}})[-/.月월]\s*{_DAY}(?!\d)[日일]?",
        rf"(?<!\d){_DAY}\.\s?(?P<month>\d{{1,2}})\.\s?{_YEAR}",
        rf"(?<!\d)(?P<one>\d{{1,2}})/(?P<two>\d{{1,2}})/{_YEAR}",
        rf"(?<!\d){_DAY}(?:er|[.º])?[\s-]+(?:d[ei]\s+|d')?{_WORD}[.,]?[\s-]+(?:del?\s+)?{_YEAR}",
        rf"{_WORD}\.?\s+{_DAY},?\s+{_YEAR}",
        rf"{_YEAR}\.?\s+{_WORD}\s+{_DAY}\b\.?",
    )
]
_CLOCK = re.compile(
    rf"(?:(?P<before>{'|'.join(map(plain, ('上午', '午前', '오전')))})"
    rf"|(?P<after>{'|'.join(map(plain, ('下午', '午後', '오후')))}))?\s*"
    r"(?<!\d)(?P<hour>\d{1,2})[:.h](?P<minute>\d\d)(?:[:.](?P<second>\d\d)(?:[.,]\d+)?)?"
    r"\s*(?P<half>[ap]\.?\s?m\b\.?)?(?:uhr|h)?\s*(?P<zone>[^|]*)"
)


def read_time(text: str, zone: str = "") -> float | None:
    """Return the seconds of a time such as `2026-11-19 20:00`, `Donnerstag, 19. November 2026,
    20:00` or `Thursday, November 19, 2026, 8:00 PM`. Return None if it is not clear.

    A time without a zone is in `zone`, such as `utc`, or else the local time of this machine.
    """
    words = plain(text.strip())[:200]
    date = next((found for pattern in _DATES if (found := pattern.search(words))), None)
    clock = date and _CLOCK.search(f"{words[: date.start()]}|{words[date.end() :]}")
    if not date or not clock:
        return None
    try:
        when = datetime(  # noqa: DTZ001 - local
            *_date(date), _hour(clock), int(clock["minute"]), int(clock["second"] or 0)
        )
        # up to the year 9999, the last of dates
        return min(max(0.0, _seconds(when, clock["zone"].strip(" ,") or zone)), 253370764800.0)
    except (ValueError, OverflowError):
        return None


def _date(found: re.Match[str]) -> tuple[int, int, int]:
    parts = found.groupdict("0")
    month, day = int(parts.get("month", 0)), int(parts.get("day", 0))
    if word := parts.get("word"):
        month = max((len(stem), _MONTHS[stem]) for stem in _MONTHS if word.startswith(stem))[1]
    if "one" in parts:  # the day and the month, or the other way round
        month, day = sorted((int(parts["one"]), int(parts["two"])))
        if month != day <= 12:
            raise ValueError
    return int(parts["year"]), month, day


def _hour(clock: re.Match[str]) -> int:
    hour, half = int(clock["hour"]), clock["half"] or ""
    if not (half or clock["before"] or clock["after"]):
        return hour
    if not 1 <= hour <= 12:
        raise ValueError
    return hour % 12 + 12 * bool(clock["after"] or half.startswith("p"))


def _seconds(when: datetime, zone: str) -> float:
    if zone:
        offset = zone.removeprefix("utc").removeprefix("gmt").upper() or "Z"
        when = when.replace(tzinfo=datetime.strptime(offset, "%z").tzinfo)
    return when.timestamp()


def shown_time(seconds: float) -> str:
    """Return a time as people read it here, such as `2026-11-30 23:59`."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
