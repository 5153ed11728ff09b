// One exchange: what differs and why it counts, both replies beside each other, times, and how to make it happen again.
import { h } from './preact.js';
import { get } from './api.js';
import { align, marked } from './diff.js';
import { Commands, Copy, Differences, Loaded, Side, Verdict } from './parts.js';
import { bytes, millis, time, visible, words } from './text.js';
import { explained } from './reasons.js';

const MOST_LINES = 2_000;

export function Exchange({ number }) {
    return h(
        'div',
        null,
        h('p', null, h('a', { href: '#/exchanges' }, '← all exchanges')),
        h(Loaded, { every: 0, read: () => get(`/v1/exchanges/${encodeURIComponent(number)}`) }, details =>
            h(Details, { details }),
        ),
    );
}

function Details({ details }) {
    return h(
        'article',
        null,
        h('h1', { class: 'request' }, visible(details.request)),
        h(
            'p',
            null,
            h(Verdict, { kind: details.kind }),
            ' ',
            details.reason !== null && h('b', null, words(details.reason)),
            ' ',
            explained(details.reason),
        ),
        h(
            'dl',
            { class: 'facts' },
            fact('Exchange', details.exchange),
            fact('Time', time(details.at)),
            fact('Listener', details.listener),
            fact('Debug JVM', details.debug),
            fact('Route', details.route),
            fact('Connection', details.connection),
            fact('Status', `${details.productionStatus || '–'} / ${details.debugStatus || '–'}`),
            details.trace !== null && fact('Trace', details.trace),
            details.session && fact('Session', details.session),
        ),
        h('h2', null, 'Times'),
        h(Times, { details }),
        h('h2', null, 'Differences'),
        details.differences.length === 0
            ? h(
                  'p',
                  { class: 'quiet' },
                  details.kind === 'SAME' ? 'Both replies are equal in every byte.' : 'None is known.',
              )
            : h(Differences, { differences: details.differences }),
        h('h2', null, 'Replies'),
        h(Replies, { production: details.production, copy: details.copy, kind: details.kind }),
        details.outgoing !== null && h(Outgoing, { outgoing: details.outgoing }),
        h('h2', null, 'Fidelity'),
        h('p', null, visible(details.fidelity)),
        h('h2', null, 'Again'),
        details.reproduce.some(line => line.startsWith('curl ')) &&
            h(Copy, { text: details.reproduce.filter(line => line.startsWith('curl ')).join('\n') }, 'Copy as curl'),
        h(Commands, { lines: details.reproduce }),
    );
}

function fact(name, value) {
    return h('div', null, h('dt', null, name), h('dd', null, visible(value)));
}

/** From the request's arrival at each side to the end of its reply. */
function Times({ details }) {
    const most = Math.max(details.productionMillis ?? 0, details.debugMillis ?? 0, 0.001);
    const row = (name, value) =>
        h(
            'tr',
            null,
            h('th', { scope: 'row' }, name),
            h(
                'td',
                null,
                h('div', {
                    class: `time ${name.toLowerCase()}`,
                    style: { width: `${Math.max(0.5, (100 * (value ?? 0)) / most)}%` },
                }),
            ),
            h('td', { class: 'number' }, value === null ? 'no reply' : millis(value)),
        );
    return h(
        'table',
        { class: 'times' },
        h('tbody', null, row('Production', details.productionMillis), row('Debug', details.debugMillis)),
    );
}

function Replies({ production, copy, kind }) {
    if (production === null && copy === null) {
        return h(
            'p',
            { class: 'quiet' },
            kind === 'SAME'
                ? 'Equal replies are not kept.'
                : 'They are not kept: another protocol than HTTP, no reply, or too many newer ones.',
        );
    }
    const pairs = align(lines(production), lines(copy));
    return h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Both replies' },
        h(
            'table',
            { class: 'replies' },
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    h('th', { scope: 'col' }, title('Production', production)),
                    h('th', { scope: 'col' }, title('Debug', copy)),
                ),
            ),
            h(
                'tbody',
                null,
                pairs.map(([ours, theirs], i) => h(Line, { key: i, ours, theirs })),
            ),
        ),
    );
}

function title(name, reply) {
    return reply === null
        ? `${name}: not kept`
        : `${name}, ${bytes(reply.bodyBytes)}${reply.bodyCut ? ', only the beginning is kept' : ''}`;
}

function lines(reply) {
    if (reply === null) {
        return [];
    }
    const head = [
        `${reply.status} ${reply.reason}`.trim(),
        ...reply.headers.map(header => `${header.name}: ${header.value}`),
        '',
    ];
    const body =
        reply.bodyHidden === ''
            ? reply.body.split('\n')
            : [`(${bytes(reply.bodyBytes)} not shown: ${reply.bodyHidden})`];
    return head.concat(body).slice(0, MOST_LINES);
}

function Line({ ours, theirs }) {
    if (ours === theirs) {
        return h(
            'tr',
            null,
            h('td', null, h('code', null, visible(ours))),
            h('td', null, h('code', null, visible(theirs))),
        );
    }
    const [left, right] =
        ours !== null && theirs !== null ? marked(ours, theirs) : [[[ours ?? '', true]], [[theirs ?? '', true]]];
    return h(
        'tr',
        { class: 'differs' },
        h('td', null, ours !== null && h(Side, { parts: left, mark: 'del' })),
        h('td', null, theirs !== null && h(Side, { parts: right, mark: 'ins' })),
    );
}

function Outgoing({ outgoing }) {
    return h(
        'div',
        null,
        h('h2', null, 'Upstream calls'),
        h(
            'p',
            null,
            `${words(outgoing.kind)}${outgoing.reason === null ? '' : ` (${words(outgoing.reason)})`}: `,
            `production made ${outgoing.production}, debug ${outgoing.debug}; `,
            `${outgoing.guesses} answered by a guess.`,
        ),
        h(
            'ul',
            null,
            outgoing.differences.map((call, i) =>
                h(
                    'li',
                    { key: i },
                    `${words(call.kind)} at ${visible(call.upstream)}: `,
                    call.production !== null && h('del', null, h('code', null, visible(call.production))),
                    ' ',
                    call.debug !== null && h('ins', null, h('code', null, visible(call.debug))),
                ),
            ),
        ),
    );
}
