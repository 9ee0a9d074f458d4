/** The kind of integration that publishes to an MQTT broker: MQTT 3.1.1, https://docs.oasis-open.org/mqtt/mqtt/v3.1.1/mqtt-v3.1.1.html. */
import { line, plain } from '../contract/form.ts';
import type { Kind } from '../contract/kind.ts';
import type { HttpKind } from '../contract/request.ts';
import { titles } from '../contract/titles.ts';
import { forms, parseObject, plainParts } from '../contract/values.ts';

export const mqtt: Kind = {
  form: {
    title: titles.mqtt,
    help: 'Publishes JSON to a topic for each check: the one below, and the slug of the check behind it.',
    steps: [
      'Find the address of the broker: mosquitto has it in listener of mosquitto.conf, Home Assistant under Settings, Devices & services, MQTT.',
      'Give Knell a user of its own there, who may publish to the topic and to all below it.',
      'Enter them here, and send a test: mosquitto_sub -h BROKER -t TOPIC/# -v shows it.',
    ],
    keeps: 'json',
    fields: [
      line('url', 'Broker', {
        ...plain,
        part: 'broker',
        help: 'Such as mqtts://broker.example.org, or mqtt://192.168.1.10:1883 without encryption.',
      }),
      line('topic', 'Topic', { ...plain, first: 'knell', part: 'topic' }),
      line('user', 'User name', { open: true }),
      line('password', 'Password'),
      {
        ...{ name: 'retain', label: 'Retain the last message of each check', input: 'tick' },
        ...{ open: true, first: 'yes' },
      },
    ],
  },
  category: 'Custom',
  line: 'For home automation and other machines',
  icon: 'waves',
  valueError(value) {
    const { url, topic } = parseObject(value) ?? {};
    if (typeof url !== 'string' || !forms.broker.fits(url)) return `JSON whose "url" is ${forms.broker.is}`;
    if (typeof topic !== 'string' || !forms.topic.fits(topic))
      return `JSON whose "topic" is ${forms.topic.is}`;
    return null;
  },
  parts(value) {
    const parts: Readonly<Record<string, string | number | boolean>> = {
      ...{ user: '', password: '', retain: false },
      ...plainParts(value),
    };
    const [url, topic] = [String(parts.url).replace(/\/+$/, ''), String(parts.topic)];
    return { ...parts, base: `${url}/${topic.split('/').map(encodeURIComponent).join('/')}` };
  },
};

export const mqttRequests: HttpKind = {
  requests: [
    {
      // As curl writes it: the path of the URL is the topic.
      url: '{value.base}/{slugOrKey}',
      method: 'PUBLISH',
      basic: ['{value.user}', '{value.password}'],
      headers: { Retain: '{value.retain}' },
      json: {
        status: { down: 'down', up: 'up', late: 'late' },
        name: '{name}',
        title: '{title}',
        text: '{text}',
        output: '{body}',
        tags: '{tagList}',
        project: '{project}',
        url: '{checkUrl}',
        at: '{at}',
      },
    },
  ],
  // The broker knows no such user or password: section 3.2.2.3.
  response: { refused: [401] },
};
