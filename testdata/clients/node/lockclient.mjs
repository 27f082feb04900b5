// Takes a lock with a real library of Node and holds it: redlock's using(), which
// extends the lock by itself, or a BullMQ worker in the middle of a job.
//
//   node lockclient.mjs redlock|bullmq HOST PORT NAME SECONDS [HEARTBEAT]
//
// SIGUSR2 stops the work for ever, as a promise that nobody settles would; the event
// loop, and with it the renewals, go on.
import { writeFileSync } from 'node:fs';
import Redis from 'ioredis';

const [library, host, port, name, seconds, heartbeat] = process.argv.slice(2);
const connection = { host, port: Number(port), maxRetriesPerRequest: null };
const until = Date.now() + Number(seconds) * 1000;

let stuck = false;
process.on('SIGUSR2', () => { stuck = true; console.log('stuck'); });

// work takes a little of the CPU and gives the event loop its turns.
async function work() {
  while (Date.now() < until) {
    if (stuck) await new Promise((next) => setTimeout(next, until - Date.now()));
    const end = Date.now() + 2;
    let x = 0;
    while (Date.now() < end) x += Math.sqrt(x + 1);
    if (heartbeat) writeFileSync(heartbeat, new Date().toISOString());
    await new Promise((next) => setTimeout(next, 100));
  }
}

if (library === 'redlock') {
  const { default: Redlock } = await import('redlock');
  const redlock = new Redlock([new Redis(connection)], { retryCount: 50, automaticExtensionThreshold: 2000 });
  await redlock.using([name], 6000, async () => {
    console.log('held');
    await work();
  });
} else {
  const { Queue, Worker } = await import('bullmq');
  const queue = new Queue(name, { connection });
  await queue.add('export', { rows: 7 }, { jobId: 'job-7' });
  new Worker(name, async () => {
    console.log('held');
    await work();
  }, { connection, name: 'exporter-1' });
  await new Promise((next) => setTimeout(next, until - Date.now()));
}
process.exit(0);
