//! How often.

use super::all;

#[test]
fn rules_of_calendars() {
    all(&[
        ("every day", "every FREQ=DAILY"),
        ("every monday and thursday", "every FREQ=WEEKLY;BYDAY=MO,TH"),
        ("on weekdays", "every FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("weekly", "every FREQ=WEEKLY"),
        ("every other friday", "every FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("every two hours", "every FREQ=HOURLY;INTERVAL=2"),
        ("every 15 minutes", "every FREQ=MINUTELY;INTERVAL=15"),
        ("on the first of every month", "every FREQ=MONTHLY;BYMONTHDAY=1"),
        ("the last friday of each month", "every FREQ=MONTHLY;BYDAY=-1FR"),
        ("every month on the 15th", "every FREQ=MONTHLY;BYMONTHDAY=15"),
        ("every year on may 3", "every FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=3"),
        ("every june third", "every FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=3"),
        ("on tuesdays", "every FREQ=WEEKLY;BYDAY=TU"),
        ("once a week", "every FREQ=WEEKLY"),
        ("every weekend", "every FREQ=WEEKLY;BYDAY=SA,SU"),
        ("every third day", "every FREQ=DAILY;INTERVAL=3"),
    ]);
}

#[test]
fn the_time_is_that_of_the_first() {
    all(&[
        ("wake me every day at 7", "every FREQ=DAILY; at 2026-11-16T07:00"),
        ("every monday and thursday at 18:00", "every FREQ=WEEKLY;BYDAY=MO,TH; at 2026-11-16T18:00"),
        ("at 9 am on weekdays", "at 2026-11-16T09:00; every FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("every morning at 7", "every FREQ=DAILY; at 2026-11-16T07:00"),
        ("on the first of every month at noon", "every FREQ=MONTHLY;BYMONTHDAY=1; at 2026-12-01T12:00"),
        ("every day at 11am", "every FREQ=DAILY; at 2026-11-15T11:00"),
    ]);
}
