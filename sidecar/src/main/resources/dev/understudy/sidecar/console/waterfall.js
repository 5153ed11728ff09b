// One exchange in time: both sides' replies, the upstream calls that the debug JVM made for it, and its agent's spans.
import { h } from './preact.js';
import { get, withParameters } from './api.js';
import { Loaded } from './parts.js';
import { millis, visible, words } from './text.js';

const LOADING_MILLIS = 1_000;
const FRESH_MILLIS = 5_000;
const LIMIT = 100;
const MOST_DEPTH = 12;

export function Waterfall({ details }) {
    const path = `/v1/exchanges/${encodeURIComponent(details.exchange)}/calls`;
    return h(
        Loaded,
        {
            every: seen => (seen !== undefined && isLoading(seen, details) ? LOADING_MILLIS : 0),
            read: async () => {
                const [upstreams, agent] = await Promise.all([
                    get(withParameters('/v1/upstreams', { exchange: details.exchange, limit: LIMIT })),
                    get(path),
                ]);
                return { upstreams, agent };
            },
        },
        ({ upstreams, agent }) =>
            h(
                'div',
                null,
                h(Rows, {
                    details,
                    upstream: upstreams.calls.map(call => placed(call, details)).sort((a, b) => a.from - b.from),
                    own: shifted(agent.calls, details),
                }),
                h('p', { class: 'quiet' }, remark(agent)),
                upstreams.calls.length > 0 &&
                    h(
                        'p',
                        { class: 'quiet' },
                        'Replies to upstream calls stay with the aggregator, as recorded bytes: none is shown here. ',
                        h('a', { href: '#/upstreams' }, 'Upstreams'),
                        ' says why each call got its own.',
                    ),
            ),
    );
}

/** The aggregator is read later, and an agent sends its spans twice a second. */
function isLoading({ upstreams, agent }, details) {
    const young = Date.now() - details.at < FRESH_MILLIS;
    return upstreams.state === 'WAITING' || (young && agent.collecting && agent.found === 0);
}

function remark(agent) {
    if (agent.found > agent.calls.length) {
        return (
            `The first ${agent.calls.length} of ${agent.found} calls that the agent sampled. ` +
            'Each side begins when it was given the request.'
        );
    }
    if (agent.found > 0) {
        return 'Below debug: calls that its agent sampled. Each side begins when it was given the request.';
    }
    if (!agent.traced) {
        return 'No calls of the debug JVM: the sidecar tells it no traces (telemetry.traces).';
    }
    return (
        'No calls of the debug JVM are known: ' +
        'its agent sends those that it samples, and only while a console is open.'
    );
}

/** When an upstream call was answered, and how long it waited for that, after the debug JVM was given the request. */
function placed(call, details) {
    const end = Math.max(0, Date.parse(call.at) - (details.debugAt || details.at));
    return { ...call, from: Math.max(0, end - call.waitMillis), took: call.waitMillis };
}

/** Where the debug JVM's clock is another one, its calls are moved into the time that it took by ours. */
function shifted(calls, { debugMillis }) {
    if (calls.length === 0 || debugMillis === null) {
        return calls;
    }
    const first = Math.min(...calls.map(call => call.from));
    const last = Math.max(...calls.map(call => call.from + call.took));
    const late = Math.max(0, last - debugMillis);
    const by = first < 0 ? -first : -Math.min(late, first);
    return calls.map(call => ({ ...call, from: call.from + by }));
}

function Rows({ details, upstream, own }) {
    const { productionMillis, debugMillis } = details;
    const whole = Math.max(
        productionMillis ?? 0,
        debugMillis ?? 0,
        ...upstream.map(call => call.from + call.took),
        ...own.map(call => call.from + call.took),
        0.001,
    );
    const sides = [
        ['Production', productionMillis],
        ['Debug', debugMillis],
    ];
    return h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Times' },
        h(
            'table',
            { class: 'times waterfall' },
            h(
                'tbody',
                null,
                sides.map(([name, took]) =>
                    h(Row, { key: name, name, side: name.toLowerCase(), from: 0, took, whole }),
                ),
                own.map((call, i) =>
                    h(Row, {
                        key: `call ${i}`,
                        name: visible(call.name),
                        depth: Math.min(MOST_DEPTH, call.depth + 1),
                        side: call.thrown === '' ? 'call' : 'call thrown',
                        from: call.from,
                        took: call.took,
                        whole,
                        note: call.thrown === '' ? '' : `threw ${visible(call.thrown)}`,
                    }),
                ),
                upstream.map(call =>
                    h(Row, {
                        key: call.id,
                        name: `${visible(call.form)} at ${visible(call.upstream)}`,
                        side: call.outcome === 'MISSED' ? 'missed' : 'upstream',
                        from: call.from,
                        took: call.took,
                        whole,
                        note: words(call.outcome),
                    }),
                ),
            ),
        ),
    );
}

/** A bar where it was, at least as wide as can be seen. */
function Row({ name, side, depth = 0, from, took, whole, note }) {
    const left = Math.max(0, Math.min(99, (100 * from) / whole));
    const width = Math.max(0.5, Math.min(100 - left, (100 * (took ?? 0)) / whole));
    return h(
        'tr',
        null,
        h(
            'th',
            { scope: 'row', style: depth > 0 ? { paddingLeft: `${depth}em` } : undefined },
            side === 'production' || side === 'debug' ? name : h('code', null, name),
        ),
        h('td', null, h('div', { class: `time ${side}`, style: { marginLeft: `${left}%`, width: `${width}%` } })),
        h('td', { class: 'number' }, took === null ? 'no reply' : millis(took), note && h('small', null, note)),
    );
}
