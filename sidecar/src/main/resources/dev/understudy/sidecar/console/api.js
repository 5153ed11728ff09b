// Calls of this port. Nothing else is ever asked.

const PATIENCE_MILLIS = 10_000;

/** A call that was refused, with the port's own words. */
export class Refusal extends Error {
    constructor(status, detail) {
        super(detail);
        this.status = status;
    }
}

async function call(method, path, body) {
    const options = {
        method,
        credentials: 'same-origin',
        cache: 'no-store',
        signal: AbortSignal.timeout(PATIENCE_MILLIS),
    };
    if (body !== undefined) {
        options.headers = { 'Content-Type': body.type };
        options.body = body;
    }
    let reply;
    try {
        reply = await fetch(path, options);
    } catch (failed) {
        throw new Refusal(0, 'The sidecar does not answer.');
    }
    const text = await reply.text();
    let answer = {};
    try {
        answer = text === '' ? {} : JSON.parse(text);
    } catch (malformed) {
        answer = { detail: 'The answer is no JSON.' };
    }
    if (!reply.ok) {
        throw new Refusal(reply.status, answer.detail ?? `Status ${reply.status}`);
    }
    return answer;
}

function json(document) {
    return new Blob([JSON.stringify(document)], { type: 'application/json' });
}

export const get = path => call('GET', path);
export const post = (path, document) => call('POST', path, json(document));
export const put = (path, document) => call('PUT', path, json(document));
export const putBytes = (path, blob) => call('PUT', path, blob);
export const remove = path => call('DELETE', path);

/** A path with those parameters that are not empty. */
export function withParameters(path, parameters) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
        if (value !== '' && value !== null && value !== undefined) {
            query.set(name, value);
        }
    }
    const text = query.toString();
    return text === '' ? path : `${path}?${text}`;
}
