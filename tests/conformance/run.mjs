// Runs the MCP conformance suite against the built server: `make conformance`.
//
// The scenarios that each revision requires, then those for authorization servers. What must not pass is in
// expected-failures-REVISION.yml with its reason; a scenario there that passes fails the run, too. With a word as
// argument, only the part of that name.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { listen } from './front.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const suite = path.join(root, 'tests/client/node/node_modules/@modelcontextprotocol/conformance/dist/index.js');
const token = 'conformance-token-of-nobody';
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'conformance-'));
const only = process.argv[2];

// The smallest PNG there is: one red pixel.
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

function vault() {
  const folder = path.join(work, 'vault');
  fs.mkdirSync(path.join(folder, 'About Me'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'About Me/testValue1 testValue2.md'), '# Facts\n\n- **2026-01-02**: Tested.\n');
  fs.writeFileSync(path.join(folder, 'Simple.md'), '# Simple\n\nThis is a simple text response for testing.\n');
  fs.writeFileSync(path.join(folder, 'pixel.png'), Buffer.from(PIXEL, 'base64'));
  return folder;
}

function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function startServer() {
  const port = await freePort();
  const environment = {
    PATH: process.env.PATH, HOME: work, TMPDIR: work, TZ: 'UTC', HOST: '127.0.0.1', PORT: String(port),
    VAULT_PATH: vault(), INDEX_DB_PATH: path.join(work, 'index/index.db'), MCP_AUTH_TOKEN: token,
    PUBLIC_URL: `http://localhost:${port}`,
  };
  fs.mkdirSync(path.join(work, 'index'));
  const log = fs.openSync(path.join(work, 'server.log'), 'w');
  const server = spawn(path.join(root, 'target/debug/vault-cortex'), ['serve'], { env: environment, stdio: ['ignore', log, log] });
  const url = `http://localhost:${port}`;
  for (let tries = 0; ; tries += 1) {
    const health = await fetch(`${url}/healthz`).then((answer) => answer.json(), () => undefined);
    if (health?.state === 'ready') return { server, url };
    if (tries > 300 || server.exitCode !== null) throw new Error(`the server does not start:\n${fs.readFileSync(path.join(work, 'server.log'), 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function runSuite(words, seen = () => {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [suite, ...words, '-o', path.join(work, 'results')], { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        text += data;
        seen(text);
      });
    }
    child.on('close', (code) => resolve({ code, text }));
  });
}

function summary(text) {
  const at = text.lastIndexOf('=== SUMMARY ===');
  return (at < 0 ? text.slice(-3000) : text.slice(at)).trim();
}

async function revision(name, front) {
  const expected = path.join(here, `expected-failures-${name}.yml`);
  const url = `http://localhost:${front.address().port}/mcp`;
  const { code, text } = await runSuite(['server', '--url', url, '--requirements', name, '--expected-failures', expected]);
  console.log(`==> ${name}\n${summary(text)}\n`);
  return code === 0;
}

// A browser with its owner in front of it: reads the page, types the token, presses Approve, follows the redirect.
async function consent(url) {
  const page = await fetch(url, { redirect: 'manual' });
  const html = await page.text();
  const sealed = /name="request"\s+value="([^"]*)"/.exec(html)?.[1];
  if (!sealed) throw new Error(`no consent page: ${page.status} ${html.slice(0, 500)}`);
  const origin = new URL(url).origin;
  const decision = await fetch(`${origin}/oauth/decide`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ request: sealed, token, action: 'approve', access: 'full', folders: '' }),
  });
  const location = decision.headers.get('location');
  if (!location) throw new Error(`no redirect: ${decision.status} ${(await decision.text()).slice(0, 500)}`);
  await fetch(location);
}

async function authorization(url) {
  const port = await freePort();
  const registration = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [`http://127.0.0.1:${port}/callback`], token_endpoint_auth_method: 'none' }),
  });
  const client = await registration.json();
  if (!client.client_id) throw new Error(`no registration: ${registration.status} ${JSON.stringify(client)}`);
  let asked;
  const words = ['authorization', '--url', `${url}/`, '--client-id', client.client_id, '--resource', `${url}/mcp`, '--port', String(port)];
  const { code, text } = await runSuite(words, (text) => {
    const found = /https?:\/\/\S+\/authorize\?\S+/.exec(text)?.[0];
    if (found && !asked) asked = consent(found).catch((error) => console.log(String(error)));
  });
  await asked;
  console.log(`==> authorization\n${summary(text)}\n`);
  return code === 0;
}

async function main() {
  if (!fs.existsSync(suite)) throw new Error('the suite is not installed: make clients');
  const { server, url } = await startServer();
  const front = await listen(url, token);
  const failed = [];
  try {
    for (const name of ['2025-11-25', '2026-07-28']) {
      if ((!only || only === name) && !(await revision(name, front))) failed.push(name);
    }
    if ((!only || only === 'authorization') && !(await authorization(url))) failed.push('authorization');
  } finally {
    front.close();
    server.kill();
  }
  if (failed.length) throw new Error(`not as expected: ${failed.join(', ')} (results: ${work}/results)`);
  fs.rmSync(work, { recursive: true, force: true });
  console.log('conformance: all as expected');
}

await main().then(() => process.exit(0), (error) => {
  console.error(`conformance: ${error.message}`);
  process.exit(1);
});
