// One client from its first contact to its last, through an official TypeScript SDK of either major version.
//
//   session.mjs 1|2 URL          by OAuth: registers, asks to be let in, calls, renews, is taken out again
//   session.mjs 1|2 URL TOKEN    with a token
//
// Prints one JSON object a line. {"open": URL} asks for what the owner's browser does with it: the next line of
// standard input must be the address that it was sent back to. The last line tells what happened.
import { createInterface } from 'node:readline/promises';

const [major, url, token] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport, UnauthorizedError } = await sdk(major);
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);

// The two versions have the same three names in different places.
async function sdk(version) {
  if (version === '2') return import('@modelcontextprotocol/client');
  const [{ Client }, { StreamableHTTPClientTransport }, { UnauthorizedError }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/client/auth.js'),
  ]);
  return { Client, StreamableHTTPClientTransport, UnauthorizedError };
}

// Remembers in memory what a client keeps on disk. Version 1 registers with a secret, version 2 as a public client.
class Provider {
  redirectUrl = 'http://127.0.0.1:41987/callback';
  opened = [];
  get clientMetadata() {
    return {
      client_name: `TypeScript SDK ${major}`,
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: major === '2' ? 'none' : 'client_secret_post',
    };
  }
  state() {
    return 'a-state-of-this-client';
  }
  clientInformation() {
    return this.information;
  }
  saveClientInformation(information) {
    this.information = information;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens) {
    this.kept = tokens;
  }
  // Called when a token is refused for good: without it a client would present it for ever.
  invalidateCredentials(what) {
    if (what === 'all' || what === 'tokens') this.kept = undefined;
    if (what === 'all' || what === 'client') this.information = undefined;
  }
  redirectToAuthorization(address) {
    this.opened.push(String(address));
  }
  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }
  codeVerifier() {
    return this.verifier;
  }
}

// Counts what goes to the token endpoint.
let refreshes = 0;
async function counted(address, options) {
  if (String(options?.body ?? '').includes('grant_type=refresh_token')) refreshes += 1;
  return fetch(address, options);
}

async function connect(options) {
  const transport = new StreamableHTTPClientTransport(new URL(url), { ...options, fetch: counted });
  const client = new Client({ name: 'session', version: '0' });
  try {
    await client.connect(transport);
    return { client, transport };
  } catch (error) {
    return { error, transport };
  }
}

async function search(client) {
  const answer = await client.callTool({ name: 'vault_search', arguments: { query: 'sourdough' } });
  return answer.structuredContent?.results?.[0]?.path;
}

async function write(client) {
  const call = client.callTool({ name: 'vault_write_note', arguments: { path: 'From a client.md', body: 'text' } });
  const answer = await call.catch((error) => ({ isError: true, content: [{ text: String(error) }] }));
  return { wrote: !answer.isError, said: answer.content?.[0]?.text };
}

async function withToken() {
  const { client, error } = await connect({ requestInit: { headers: { Authorization: `Bearer ${token}` } } });
  if (error) throw error;
  const { tools } = await client.listTools();
  say({ tools: tools.length, found: await search(client), ...(await write(client)) });
  await client.close();
}

async function byOauth() {
  const provider = new Provider();
  const first = await connect({ authProvider: provider });
  if (!(first.error instanceof UnauthorizedError)) throw first.error ?? new Error('let in without being asked');
  say({ open: provider.opened[0] });
  const back = new URL((await input.next()).value).searchParams;
  await first.transport.finishAuth(major === '2' ? back : back.get('code'));
  const { client, error } = await connect({ authProvider: provider });
  if (error) throw error;
  const done = {
    public_client: !provider.information.client_secret,
    state: back.get('state') === provider.state(),
    iss: back.get('iss'),
    tools: (await client.listTools()).tools.length,
    found: await search(client),
    ...(await write(client)),
  };
  // Everything expires; then four calls at once find that out, each for itself.
  const before = provider.kept.access_token;
  await new Promise((resolve) => setTimeout(resolve, (provider.kept.expires_in + 1) * 1000));
  done.after_expiry = await Promise.all([1, 2, 3, 4].map(() => search(client)));
  done.refreshes = refreshes;
  done.renewed = provider.kept.access_token !== before;
  // Taken back: the next call ends in front of the owner again.
  const metadata = await (await fetch(new URL('/.well-known/oauth-authorization-server', url))).json();
  const form = { token: provider.kept.refresh_token, client_id: provider.information.client_id };
  if (provider.information.client_secret) form.client_secret = provider.information.client_secret;
  done.revocation = (await fetch(metadata.revocation_endpoint, { method: 'POST', body: new URLSearchParams(form) })).status;
  const asked = provider.opened.length;
  done.after_revocation = await search(client).then((path) => ({ path }), (error) => ({ unauthorized: error instanceof UnauthorizedError, error: String(error) }));
  done.asked_again = provider.opened.length > asked;
  say(done);
}

await (token ? withToken() : byOauth()).then(() => process.exit(0), (error) => {
  console.error(error);
  process.exit(1);
});
