//! Times as a person reads them: in the zone of this machine. Records keep UTC.

use hookgate_policy::Date;
use tz::TimeZone;

/// The zone that `TZ` names, or else the machine's; UTC where neither can be read.
fn zone() -> TimeZone {
    let named = std::env::var("TZ").ok().filter(|name| !name.is_empty());
    let zone = named.map_or_else(TimeZone::local, |name| TimeZone::from_posix_tz(&name));
    zone.unwrap_or_else(|_| TimeZone::utc())
}

/// `2026-11-22 18:38:03`, of milliseconds since the Unix epoch.
pub(crate) fn shown(millis: u64) -> String {
    shown_in(&zone(), millis)
}

fn shown_in(zone: &TimeZone, millis: u64) -> String {
    let seconds = millis / 1000;
    let there = seconds.saturating_add_signed(offset(zone, seconds));
    let (date, second) = (Date::from_unix_seconds(there), there % 86_400);
    format!("{date} {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)
}

/// How many seconds the zone is ahead of UTC at that time.
fn offset(zone: &TimeZone, seconds: u64) -> i64 {
    let at = i64::try_from(seconds).unwrap_or(i64::MAX);
    zone.find_local_time_type(at).map_or(0, |kind| i64::from(kind.ut_offset()))
}

/// The same of a time as records write it (`2026-11-22T23:38:03.792Z`); what isn't one stays as it is.
pub(crate) fn shown_record(time: &str) -> String {
    millis(time).map_or_else(|| time.to_owned(), shown)
}

/// When a day (`2026-11-20`) begins here, in milliseconds since the Unix epoch.
pub(crate) fn day_start(day: &str) -> Option<u64> {
    day_start_in(&zone(), day)
}

fn day_start_in(zone: &TimeZone, day: &str) -> Option<u64> {
    let utc = millis(&format!("{day}T00:00:00Z"))? / 1000;
    // The offset at midnight, which may be another one than a few hours later.
    let first = utc.saturating_add_signed(-offset(zone, utc));
    Some(utc.saturating_add_signed(-offset(zone, first)).saturating_mul(1000))
}

fn millis(time: &str) -> Option<u64> {
    let number = |from: usize, to: usize| time.get(from..to)?.parse::<u64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
    let plausible = year >= 1970 && (1..=12).contains(&month) && (1..=31).contains(&day);
    (plausible && hour < 24 && minute < 60 && second <= 60).then_some(())?;
    // Days since the epoch, of years that begin in March.
    let years = if month > 2 { year } else { year - 1 };
    let (era, of_era) = (years / 400, years % 400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    let days = days.checked_sub(719_468)?;
    Some((days * 86_400 + hour * 3600 + minute * 60 + second) * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_in_its_zone_in_summer_and_winter() {
        let zone = TimeZone::from_posix_tz("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        for (utc, local) in [
            ("2026-11-22T23:38:03.792Z", "2026-11-23 00:38:03"),
            ("2026-07-01T10:00:00.000Z", "2026-07-01 12:00:00"),
            ("2028-02-29T00:00:00Z", "2028-02-29 01:00:00"),
            ("1970-01-01T00:00:00Z", "1970-01-01 01:00:00"),
        ] {
            assert_eq!(shown_in(&zone, millis(utc).unwrap()), local);
        }
        assert_eq!(shown_record("no time"), "no time");
        assert!(
            ["2026-13-01T00:00:00Z", "1969-12-31T00:00:00Z", "2026-01-01", "\u{e9}"]
                .iter()
                .all(|text| millis(text).is_none())
        );
    }

    #[test]
    fn a_day_begins_at_midnight_there() {
        let zone = TimeZone::from_posix_tz("EST5EDT,M3.2.0,M11.1.0").unwrap();
        for (day, utc) in [
            ("2026-11-20", "2026-11-20T05:00:00Z"),
            ("2026-07-01", "2026-07-01T04:00:00Z"),
            ("2026-03-08", "2026-03-08T05:00:00Z"),
        ] {
            assert_eq!(day_start_in(&zone, day), millis(utc), "{day}");
        }
        assert_eq!(day_start_in(&TimeZone::utc(), "2026-11-20"), millis("2026-11-20T00:00:00Z"));
        assert_eq!(day_start("2026-99-20"), None);
    }
}
