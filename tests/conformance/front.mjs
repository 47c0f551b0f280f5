// What stands between the conformance suite and the server.
//
// The suite sends no token and asks for tools and prompts by names of its own, each of which must answer in one
// way. Nothing is built into the server for that: this adds the token, and puts in the place of each such name a
// tool or prompt of ours that answers in that way. Everything else passes as it is, byte for byte.
import http from 'node:http';

// What the suite asks for, and what it gets.
export const TOOLS = {
  test_simple_text: ['vault_read_note', { path: 'Simple.md' }],
  test_image_content: ['vault_read_file', { path: 'pixel.png' }],
  test_error_handling: ['vault_read_note', { path: 'No such note.md' }],
};
export const PROMPTS = {
  test_simple_prompt: ['vault-orientation', () => ({})],
  // The vault has a memory file of this name.
  test_prompt_with_arguments: ['memory-review', ({ arg1, arg2 }) => ({ file: `${arg1} ${arg2}` })],
};

function substitute(message) {
  const { method, params } = message;
  if (method === 'tools/call' && params?.name in TOOLS) {
    const [name, args] = TOOLS[params.name];
    return { ...message, params: { ...params, name, arguments: args } };
  }
  if (method === 'prompts/get' && params?.name in PROMPTS) {
    const [name, args] = PROMPTS[params.name];
    return { ...message, params: { ...params, name, arguments: args(params.arguments ?? {}) } };
  }
  const ref = params?.ref;
  if (method === 'completion/complete' && ref?.type === 'ref/prompt' && ref.name in PROMPTS) {
    return { ...message, params: { ...params, ref: { ...ref, name: PROMPTS[ref.name][0] }, argument: { ...params.argument, name: 'file' } } };
  }
  return message;
}

// Reads whole requests only: the suite sends small ones.
export function listen(target, token) {
  const to = new URL(target);
  const server = http.createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    let body = Buffer.concat(parts);
    const headers = { ...request.headers };
    headers.authorization ??= `Bearer ${token}`;
    try {
      const message = JSON.parse(body);
      const changed = substitute(message);
      if (changed !== message) {
        body = Buffer.from(JSON.stringify(changed));
        headers['content-length'] = String(body.length);
        // The newest revision repeats the name in a header, and both must agree.
        const name = changed.params.name;
        if (name && headers['mcp-name'] === message.params.name) headers['mcp-name'] = name;
      }
    } catch {
      // Not JSON: the server's to refuse.
    }
    const onward = http.request({ host: to.hostname, port: to.port, path: request.url, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    onward.end(body);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
