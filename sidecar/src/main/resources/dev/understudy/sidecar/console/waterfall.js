// One exchange in time: both sides' replies, and the upstream calls that the debug JVM made for it.
import { h } from './preact.js';
import { get, withParameters } from './api.js';
import { Loaded } from './parts.js';
import { millis, visible, words } from './text.js';

const LOADING_MILLIS = 1_000;
const LIMIT = 100;

export function Waterfall({ details }) {
    return h(
        Loaded,
        {
            every: document => (document?.state === 'WAITING' ? LOADING_MILLIS : 0),
            read: () => get(withParameters('/v1/upstreams', { exchange: details.exchange, limit: LIMIT })),
        },
        document => h(Rows, { details, calls: document.calls.map(call => placed(call, details)) }),
    );
}

/** When a call was answered, and how long it waited for that, after the request's arrival. */
function placed(call, details) {
    const end = Math.max(0, Date.parse(call.at) - details.at);
    return { ...call, from: Math.max(0, end - call.waitMillis), took: call.waitMillis };
}

function Rows({ details, calls }) {
    const { productionMillis, debugMillis } = details;
    const whole = Math.max(productionMillis ?? 0, debugMillis ?? 0, ...calls.map(call => call.from + call.took), 0.001);
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
                calls.map(call =>
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
function Row({ name, side, from, took, whole, note }) {
    const left = Math.min(99, (100 * from) / whole);
    const width = Math.max(0.5, Math.min(100 - left, (100 * (took ?? 0)) / whole));
    return h(
        'tr',
        null,
        h('th', { scope: 'row' }, side === 'upstream' || side === 'missed' ? h('code', null, name) : name),
        h('td', null, h('div', { class: `time ${side}`, style: { marginLeft: `${left}%`, width: `${width}%` } })),
        h('td', { class: 'number' }, took === null ? 'no reply' : millis(took), note && h('small', null, note)),
    );
}
