# Run in a Healthchecks checkout by `manage.py shell`: fills an empty database with what the API cannot create. Prints the
# clear keys as JSON into the file that SEED_OUT names.
import json
import os

from django.contrib.auth.models import User
from hc.accounts.models import Member, Profile, Project
from hc.api.models import Channel

secrets = {}


def user(name, email):
    made = User.objects.create_user(name, email, "correct horse battery")
    Profile.objects.for_user(made)
    return made


def keys(project, plain):
    """Plain keys are what versions up to 3.10 made, and what later ones still accept."""
    letters = project.name[0].lower()
    if plain or not hasattr(project, "set_api_key"):
        clear = {"read_write": letters * 32, "read_only": (letters + "r") * 16}
        project.api_key = clear["read_write"]
        project.api_key_readonly = clear["read_only"]
    else:
        clear = {"read_write": project.set_api_key(), "read_only": project.set_api_key_readonly()}
    project.ping_key = (letters + "0123456789abcdefghijklmn")[:22]
    project.save()
    secrets[project.name] = {**clear, "ping": project.ping_key, "badge_key": project.badge_key}


alice = user("alice", "alice@example.org")
bob = user("bob", "bob@example.org")
carol = user("carol", "carol@example.org")
plain = Project.objects.create(owner=alice, name="Plain", badge_key="plain-badges")
hashed = Project.objects.create(owner=bob, name="Hashed", badge_key="hashed-badges")
keys(plain, True)
keys(hashed, False)
fields = {field.name for field in Member._meta.get_fields()}
roles = {"role": "r"} if "role" in fields else {"rw": False} if "rw" in fields else {}
Member.objects.create(user=carol, project=plain, **roles)
Member.objects.create(user=bob, project=plain)


def channel(kind, value, **rest):
    text = value if isinstance(value, str) else json.dumps(value)
    return Channel.objects.create(project=plain, kind=kind, value=text, **rest)


channel("email", {"value": "ops@example.org", "up": True, "down": True}, name="Ops", email_verified=True)
channel("email", {"value": "new@example.org", "up": True, "down": False}, name="Unverified", email_verified=False)
# What versions of 2017 and before kept: the address alone.
channel("email", "old@example.org", email_verified=True)
channel("slack", "https://hooks.slack.com/services/T0/B0/secret", last_error="Received status code 404")
channel("ntfy", {"topic": "alerts", "url": "https://ntfy.sh", "priority": 5, "priority_up": 3})
channel("telegram", {"id": -100123, "type": "supergroup", "name": "ops"})
channel(
    "webhook",
    {
        "method_down": "POST",
        "url_down": "https://example.org/$CODE",
        "body_down": "$NAME is $STATUS",
        "headers_down": {"X-Test": "1"},
        "method_up": "GET",
        "url_up": "",
        "body_up": "",
        "headers_up": {},
    },
    name="Hook",
    disabled=True,
)
channel("hipchat", "https://hipchat.example.org/", name="Retired")
channel("msteams", "https://outlook.office.com/webhook/secret", name="Teams of old")
Channel.objects.create(project=hashed, kind="sms", value=json.dumps({"value": "+15555550100", "up": True, "down": True}))

with open(os.environ["SEED_OUT"], "w") as out:
    json.dump(secrets, out)
