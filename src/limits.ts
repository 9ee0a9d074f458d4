/**
 * The limits that cross modules, each with its unit and its reason. Those of one module are in its own `limits` file, and what the
 * owner may set is in `config`.
 */
import { day, hour, kB, MB, minute, second } from './lib/units.ts';

/** Between nodes: how long listeners wait for the answer to a ping and to a request, and what is too late to be taken. */
const waitMsMax = 20 * second;
const requestMsMax = 60 * second;
const lateMsMax = 6 * second;

export const limits = {
  /** Specification by way of Healthchecks: what is kept of a ping's body. */
  pingBodyBytesMax: 100 * kB,
  /** A management request's JSON. The largest honest one, with every field at its limit, is under 10 kB. */
  apiBodyBytesMax: 1 * MB,
  /**
   * Body of a request from somebody who is not known yet: a sign-in has 500 bytes, a request with its key in the body under 10
   * kB.
   */
  strangerBodyBytesMax: 16 * kB,
  /** Bodies in flight, all together: 64 of the largest, 640 of pings. Without it, 1200 connections kept 1 GB. */
  bodiesBytesMax: 64 * MB,
  userAgentCharsMax: 200,
  /** Two stats. A renewal is not urgent, but the owner who has just replaced a file looks at once. */
  certificatePollMs: second,
  /** The second HTTP listener, which is for devices: uWebSockets.js has such bounds of its own. */
  httpCompat: {
    /** Some 10 kB each. */
    connectionsMax: 1000,
    /** A device that has begun a request finishes its head within a moment, even byte by byte. */
    headersMs: 10 * second,
    /** 100 kB over a slow mobile line. */
    requestMs: 30 * second,
    keepAliveMs: 10 * second,
    /** A connection on which nothing moves, an answer that nobody takes included. */
    idleMs: 60 * second,
  },
  heartbeat: {
    /** A receiver that does not answer is tried more seldom, but as often as this or the interval. */
    pauseMsMax: 5 * minute,
    /** Time servers correct by less. More moves deadlines by as much, so somebody should look. */
    clockJumpMsMax: 1 * minute,
  },
  /** The listener of the metrics: a few scrapers, each with one connection that it keeps. */
  metrics: { connectionsMax: 64, headersMs: 10 * second },
  /** Things that people and programs may create. Each is in memory, and is scanned or listed as a whole now and then. */
  engine: {
    /** Every page lists them all. Tried with so many. */
    projectsMax: 10_000,
    /** A status change of a check with all of them is one record with so many deliveries, and takes some 30 ms. */
    channelsPerProjectMax: 1000,
    /** A sign-in proxy creates one for every name that it sends; each sign-in looks through them. */
    usersMax: 5000,
    /** Each has up to some 400 kB in memory. A company has one, and one for each of its customers or teams. */
    statusPagesPerProjectMax: 100,
    /** Every status change of a check looks through those of its project. Those that are over are replaced. */
    maintenancePerProjectMax: 50,
    /** Checks that pings create in a project: a fleet that is set up at once, then one every few seconds. */
    creations: { perMinute: 20, burst: 1000, clientsMax: 10_000 },
  },
  /** Connections over which open pages get live updates. */
  live: {
    /** About 20 kB each while nothing waits in them. */
    connectionsMax: 2000,
    /** A person with many tabs on several machines; a script that opens more is stopped. */
    connectionsPerUserMax: 50,
  },
  /** Messages between nodes. */
  cluster: {
    forward: {
      /** Pings and requests that wait for the leader, in memory: as much as of request bodies. */
      bytesMax: 64 * MB,
      /** At 20,000 a second, the requests that come in while a leader is replaced. Some 200 bytes each beside their bytes. */
      requestsMax: 100_000,
      /** Without a sign of life of the leader for this long, new ones are refused: a job tries again, memory stays small. */
      silenceMsMax: 2 * second,
      /** The leader is asked whether it is well while it is silent. Four times before the silence counts. */
      probeEveryMs: second / 2,
      /** A ping that a healthy leader has not answered was lost with a connection. A commit takes some milliseconds. */
      againMs: 2.5 * second,
      /** Likewise of requests: a change is done once all the same. The longest honest one, a list of 100,000 checks, takes a second. */
      requestAgainMs: 5 * second,
      /** Nobody waits longer for a ping's answer. */
      waitMsMax,
      /** A replacement takes 10 s at most. Later a ping is not sent: see `lateMsMax`. */
      sendMsMax: waitMsMax - lateMsMax,
      /** Time for a request that a healthy leader works on: a test notification may take 30 s. */
      requestMsMax,
      requestSendMsMax: requestMsMax - lateMsMax,
      /** Replies that are coming in. The largest honest one, a list of 100,000 checks, has 80 MB. */
      replyBytesMax: 256 * MB,
      /** Requests go out behind an answer of the leader that is no older; so they may take 4 s on their way. */
      echoMsMax: 2 * second,
    },
    serve: {
      /** A client's clock may be off by so much; beyond it the leader's own counts. */
      clockSkewMsMax: 5 * second,
      /** Greetings of listeners between a claim and the end of its recovery, some 60 bytes each. What they take waits behind those. */
      heldBytesMax: 64 * kB,
      /** Part of a reply that its client has not confirmed: NATS cuts off a client that is 64 MB behind. */
      replyWindowBytes: 4 * MB,
      /** A client that confirms nothing for so long is gone. */
      replyIdleMsMax: 15 * second,
      /** Requests that come in parts, all together: mails of 10 MB are read at their node. */
      partsBytesMax: 64 * MB,
      /** Replies to changes, kept for a client until it has them: some thousand checks. */
      changesBytesMax: 4 * MB,
      /**
       * A message that may have been sent so long ago is dropped: when its client gives it up, no copy is on its way any more.
       */
      lateMsMax,
      waitMsMax,
      requestWaitMsMax: requestMsMax,
    },
    /** A client asks again for 60 s at most. 65,536 blocks of 512 bytes are 32 MB, and in the worst case a request each. */
    known: { keptMs: 1 * minute, blocksMax: 65_536 },
    /** Entries of the log that are kept for nodes that are away; 7 days is the log's own bound. */
    retention: { everyMs: 10 * second, keptMin: 200_000, awayMsMax: 7 * day },
    /** Entries that a node reads from the log in 20 s. If it lacks more, another node's snapshot is nearer. */
    entriesReadMax: 1_000_000,
    /** Which topics pages of other nodes listen to: said at changes and this often, forgotten after that silence. */
    live: { everyMs: 1 * second, silenceMsMax: 5 * second, topicsMax: 10_000 },
    /** So many empty nodes are a new cluster, or as many as there are NATS servers: one beside each is what the manual asks for. */
    emptyNodesMin: 3,
    /** Which nodes there are. One that has gone is shown for a day. */
    status: {
      everyMs: 1 * second,
      silenceMsMax: 5 * second,
      goneKeptMs: 1 * day,
      nodesMax: 100,
      reminderMs: 30 * second,
      /** A write takes some milliseconds; one that takes so long is as good as none for who asks which node owns the log. */
      proofMsMax: 1.5 * second,
    },
  },
  statusPage: {
    /** However many read a page, it is made at most this often; and no reader sees anything older. */
    freshMs: 5 * second,
    /** Days and incidents are read from the history after a status change, or after this. */
    historyMs: 1 * minute,
    /** Reading them takes at most this part of the time: a page of thousands of checks reads them more seldom. */
    historyShareMax: 0.05,
    /** If they took longer the last time, readers get the older ones while they are read. */
    historyWaitMs: second / 5,
    /** Pages in memory as readers get them: HTML and feed, plain and compressed, some 100 kB each. */
    cachedMax: 200,
    /** Bytes of pages that a node of a cluster keeps while it does not lead. */
    standbyBytesMax: 32 * MB,
    incidentsMax: 100,
    /** Status changes are read so many at a time: 1 ms. */
    changesPerRead: 200,
  },
  /** Time for which an accepted request may still be worked on once Knell is asked to end. */
  shutdownMs: 4 * second,
  /** The outage credit is exact to this. */
  aliveEveryMs: 10 * second,
  /** Tries to sign in: enough for a family behind one address, far too few to guess by. */
  signIn: {
    perAddress: { perMinute: 10, burst: 20, clientsMax: 10_000 },
    /** Attempts at an account from one address: nobody mistypes a password more often. */
    perPair: { perMinute: 5, burst: 10, clientsMax: 10_000 },
    /** Attempts at an account from all addresses: 28,800 a day are far too few for passwords of ten characters. */
    perAccount: { perMinute: 20, burst: 100, clientsMax: 10_000 },
    /** Codes of an account, by anyone who knows its password: 720 a day, of a million, three of which are right. */
    codes: { perMinute: 0.5, burst: 10, clientsMax: 10_000 },
    /** Failed ones that are in the audit log: 130,000 in 90 days, under half of what it holds. */
    noted: { perMinute: 1, burst: 100, clientsMax: 1 },
    /** Addresses known for accounts: some of each user, for all users that there may be. */
    knownPairsMax: 20_000,
  },
  /** Links in mails: more than a person follows, even behind an address that many share. */
  mailLinks: { perMinute: 30, burst: 60, clientsMax: 10_000 },
  /** Mails that ask an address whether it wants alerts: nobody is flooded, and no editor can send to thousands. */
  verification: {
    perAddress: { perMinute: 0.1, burst: 3, clientsMax: 10_000 },
    perProject: { perMinute: 1, burst: 30, clientsMax: 10_000 },
  },
  /** Invitations, links for forgotten passwords: anyone may ask for a link of anyone, and no owner invites thousands. */
  accountMails: {
    perAddress: { perMinute: 0.1, burst: 3, clientsMax: 10_000 },
    /** Of an owner who sets up the mail server, which takes many tries. */
    tests: { perMinute: 1, burst: 10, clientsMax: 10_000 },
    invitations: { perMinute: 1, burst: 30, clientsMax: 10_000 },
  },
  /** Reports that members ask for themselves, and questions to their addresses: each is a mail, and reads all checks. */
  reportMails: {
    perMember: { perMinute: 0.5, burst: 5, clientsMax: 10_000 },
    perAddress: { perMinute: 0.1, burst: 3, clientsMax: 10_000 },
    /** Pages of a report: a look at each of 10,000 checks takes a second of the machine. */
    previews: { perMinute: 20, burst: 20, clientsMax: 10_000 },
  },
  ticker: {
    /** A jump of the wall clock is noticed after this. */
    sleepMsMax: 1 * second,
    /** In moves of a handle on the wheel, some 0.1 µs each: 2 ms. */
    movesPerTurn: 20_000,
    /** A due deadline counts as so many moves: 4 µs to decode the check, 20 µs for its actor, and a record. */
    movesPerDue: 400,
    /** Milliseconds after which a turn of deadlines ends, however few were due: a commit and messages have their part of the 10 ms, too. */
    turnMsMax: 1,
    /** Due deadlines, one close after another, after which young garbage is collected: each leaves some 11 kB of it. */
    duePerCollection: 300,
    retryMs: second / 4,
    /** Ten thousand deadlines at once, with an incident and an alert each, take 0.9 s; nobody has a grace time this short. */
    lateMsMax: 10 * second,
  },
  snapshots: {
    /** After the start: time for the clock to be set and for the first rush of pings. */
    settleMs: 1 * minute,
    /** A jump of the wall clock is noticed after this. */
    sleepMsMax: 1 * hour,
    retryMs: 1 * minute,
    retryMsMax: 1 * hour,
    /** Free space that a snapshot leaves on the disk, so that pings are not refused because of it; a small disk's twentieth. */
    freeBytesMin: 64 * MB,
  },
  notify: {
    dispatch: {
      retry: { firstMs: 1 * second, retryMsMax: 1 * hour, giveUpAfterMs: 24 * hour, attemptsMin: 10 },
      /** Enough for thousands of deliveries a second to a quick receiver; few enough for one to bear. */
      perChannelMax: 16,
      /** Memory: some 100 kB each at most. An integration that hangs holds one of them, once it has failed thrice. */
      totalMax: 256,
      failuresMax: 3,
      channelPauseMsMax: 30 * second,
      /** About 1 ms of work: pings come in between. */
      startsPerTurn: 4,
      sleepMsMax: 1 * hour,
      /**
       * How long Alertmanager may lack an alert after its restart. Prometheus repeats every minute; Knell's alerts have an end of
       * their own, so they need not be repeated within the 5 minutes of `resolve_timeout`, but are.
       */
      refreshMs: 3 * minute,
      /** Attempts end after 30 s at the latest. */
      stuckMs: 2 * minute,
    },
    /** The pauses between so many attempts are 68 minutes, with the least of chance 54: longer than updates of a server take. */
    missingAttemptsMin: 13,
    /** Integrations that one cause ends, such as a workspace that was deleted, end within seconds. Attempts: a minute. */
    announcer: { gatherMs: 10 * second, attemptsMax: 7 },
    reporter: {
      /** Longest delay of a report. A look at all members takes some microseconds each. */
      everyMs: 1 * minute,
      /** Members whose report is looked for before pings come in between: under 1 ms. */
      membersPerTurn: 50,
      /** The sum of the pauses between so many attempts is a day. */
      attemptsMax: 40,
    },
    http: {
      connectMs: 10 * second,
      totalMs: 30 * second,
      /** Answers are read for an error code, no more. */
      responseBytesMax: 64 * kB,
      redirectsMax: 3,
    },
    mail: { connectMs: 10 * second, totalMs: 30 * second, connectionsMax: 8, replyCharsMax: 200 },
    /** A mail of 100 kB is decoded in milliseconds; a message shows the text of the latest ones, 100 kB each at most. */
    pingMails: { waitMsMax: 15 * second, keptMax: 16 },
    /** For the thread that decodes them: what takes longer, or more memory, is hostile. */
    mailReader: { readMsMax: 5 * second, readHeapMB: 128 },
    /** Outbox writes that failed because the disk was full are repeated after this. */
    rewriteMs: 1 * second,
    /**
     * Writes wait so long for each other: a delivery takes 2 ms at least, so 5 are not felt; the disk is spared a sync for every
     * few.
     */
    gatherMs: 5,
    deadKeptMs: 30 * day,
    supersededKeptMs: 1 * day,
    /** Ended deliveries that are kept: 300 bytes each, 30 MB. */
    endedMax: 100_000,
    sweepEveryMs: 1 * hour,
    /** Notifications of each integration, as many as its row on the page shows: some 200 bytes each. */
    recentMax: 20,
    /** Part of the time to stop that attempts in flight get; an attempt that is cut off is made again. */
    stopGraceMs: 1.5 * second,
  },
  smtp: {
    /** Announced to senders by SIZE: mail with attachments rarely exceeds it, and a report for a ping never should. */
    mailBytesMax: 10 * MB,
    /** A sender that goes on after this, ten times too much, is cut off. */
    mailBytesReadMax: 100 * MB,
    /** Mails in flight are kept in memory (100 kB of each, the whole of one that is searched): so much together. */
    mailsBytesMax: 64 * MB,
    /** Measured: 10 MB of text 0.2 s, of HTML 0.9 s. What takes longer than this is held to be unreadable. */
    readMsMax: 10 * second,
    /** Measured: 10 MB of HTML take 170 MB. For the reading thread alone. */
    readHeapMB: 256,
    /** RFC 5321 requires at least 100. */
    recipientsMax: 100,
    /** Measured: a thousand silent ones take 18 MB; the mails of busy ones have a budget of their own. */
    connectionsMax: 1000,
    /** Mail servers open 20 to one destination (postfix); a tenth of all leaves the rest to others. */
    connectionsPerPeerMax: 100,
    /** A machine that has something to say says it; RFC 5321's five minutes are for people and dial-up lines. */
    idleMs: 60 * second,
    /** Mails that come together wait so long for each other: too short for a sender to notice, and it spares the disk syncs. */
    batchMs: 2,
    /** A path has 256 characters, and extensions add some hundreds (RFC 5321, 6531). */
    commandBytesMax: 2048,
  },
} as const;
