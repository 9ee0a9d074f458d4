# Run in a Healthchecks checkout by `manage.py shell`, after the pings: makes some of what is there as old as long-lived
# installations have it.
from datetime import timedelta

from hc.api.management.commands.sendalerts import Command
from hc.api.models import Check, Flip, Ping

day = timedelta(days=1)


def back(name, by):
    check = Check.objects.get(name=name)
    for field in ("created", "last_ping", "last_start"):
        if getattr(check, field) is not None:
            setattr(check, field, getattr(check, field) - by)
    # As it is set by every ping: it is what `sendalerts` looks for.
    check.alert_after = check.going_down_after()
    check.save()
    for model in (Ping, Flip):
        for row in model.objects.filter(owner=check):
            row.created -= by
            row.save()


back("Overdue", 3 * day)
back("Late", timedelta(minutes=61))
back("Old rows", 40 * day)
# Rows of 2015 to 2017 have no number, and a body that is text.
old = list(Ping.objects.filter(owner__name="Old rows").order_by("id"))
for ping in old[:2]:
    ping.n = None
    if hasattr(ping, "body"):
        ping.body, ping.body_raw = "text of old – ü", None
    ping.save()

# What `sendalerts` does once, without sending: the overdue go down.
while Command().handle_going_down():
    pass
