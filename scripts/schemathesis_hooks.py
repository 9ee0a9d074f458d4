"""What the OpenAPI document says only in words: texts of these properties are valid if they mean something. Without it
schemathesis would take any text for valid, and could not hold that what is valid is accepted."""

import datetime

import schemathesis
from hypothesis import strategies as st


def field(low, high):
    """One field of a cron expression: any value, some, a range, a step."""
    value = st.integers(low, high).map(str)
    steps = st.integers(1, high).map(lambda step: f"*/{step}")
    ranges = st.tuples(st.integers(low, high), st.integers(low, high)).map(lambda pair: "%d-%d" % tuple(sorted(pair)))
    return st.one_of(st.just("*"), value, steps, ranges, st.lists(value, min_size=2, max_size=3).map(",".join))


# Days up to the 28th: a date that never comes, such as 31 February, is refused.
cron = st.tuples(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6)).map(" ".join)
on_calendar = st.sampled_from(["hourly", "Mon..Fri 18:00", "*-*-01 04:00:00", "Sat,Sun 10:00 Europe/Riga"])

formats = {
    "schedule": st.one_of(cron, on_calendar),
    "tz": st.sampled_from(["UTC", "Europe/Riga", "America/New_York", "Asia/Kolkata", "Pacific/Chatham"]),
    # Integrations by their names or ids: a new Knell has none.
    "channels": st.sampled_from(["", "*"]),
    "exit_codes": st.sampled_from(["", "24=warning,*=failure", "0=success, 100-110=warning"]),
    "depends_on": st.sampled_from(["", "db", "db tag:core"]),
    "results": st.sampled_from(["", "files: below 1", 'rows in B from "{} rows": change 30% warns\nx from /a']),
    "retention": st.sampled_from(["", "pings last 500", "failures 1 year\nbodies of successes 3 days"]),
    "hosts": st.lists(st.sampled_from(["db-1", "db-2", "a.example", "_x"]), max_size=4).map(" ".join),
}
# A snooze ends in the future.
now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
minutes = st.integers(60, 300 * 24 * 60).map(lambda count: now + datetime.timedelta(minutes=count))
schemathesis.openapi.format("knell-until", minutes.map(lambda at: at.isoformat()))
for name, strategy in formats.items():
    schemathesis.openapi.format(f"knell-{name}", strategy)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for component in ("CreateCheck", "UpdateCheck", "PreviewSchedule", "PreviewRetention"):
        properties = raw_schema["components"]["schemas"][component]["properties"]
        for name in formats:
            if name in properties:
                properties[name]["format"] = f"knell-{name}"
    snooze = raw_schema["components"]["schemas"]["SnoozeCheck"]
    snooze["properties"]["until"] = {"type": "string", "format": "knell-until"}
    # A time that is written down once is too far ahead, or over.
    snooze.pop("examples", None)
    for component in ("CreateMaintenance", "UpdateMaintenance"):
        # A new Knell has no checks and no integrations; times agree with one another, and a schedule has to leave gaps.
        window = raw_schema["components"]["schemas"][component]
        for name in ("checks", "integrations", "from", "schedule", "tz", "duration", "dates", "ics"):
            window["properties"].pop(name, None)
        window["properties"]["until"] = {"type": "string", "format": "knell-until"}
        window.pop("examples", None)
        window.pop("anyOf", None)
        if component == "CreateMaintenance":
            window["required"] = ["until"]
        window["additionalProperties"] = False
    for parameter in raw_schema["paths"]["/events"]["get"]["parameters"]:
        # A stream has no end; a page that waits takes its time.
        if parameter.get("name") == "format":
            parameter["required"] = True
            parameter["schema"] = {"type": "string", "enum": ["json"]}
        if parameter.get("name") == "wait":
            parameter["schema"]["maximum"] = 1
    # The two times agree with one another.
    search = raw_schema["paths"]["/search"]["get"]
    search["parameters"] = [one for one in search["parameters"] if one.get("name") != "until"]
    for path in raw_schema["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict) and "parameters" in operation:
                # A cursor is what a page before has answered: nobody can make one up.
                operation["parameters"] = [one for one in operation["parameters"] if one.get("name") not in ("before", "after")]


@schemathesis.hook
def map_body(context, body):
    """To JSON Schema 60.0 is an integer; Knell refuses it, as Healthchecks does."""
    if not isinstance(body, dict):
        return body
    return {name: int(value) if isinstance(value, float) and value.is_integer() else value for name, value in body.items()}
