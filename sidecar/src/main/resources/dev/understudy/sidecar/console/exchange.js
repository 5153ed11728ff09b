// One exchange: what differs and why it counts, both replies beside each other, times, and how to make it happen again.
import { h, Component } from './preact.js';
import { get } from './api.js';
import { forbidden } from './actions.js';
import { Images, decoded, hexLines } from './binary.js';
import { align, marked } from './diff.js';
import { Commands, Copy, Differences, Loaded, Side, Verdict } from './parts.js';
import { bytes, time, visible, words } from './text.js';
import { explained } from './reasons.js';
import { Waterfall } from './waterfall.js';

const MOST_LINES = 2_000;

export function Exchange({ number, caller }) {
    return h(
        'div',
        null,
        h('p', null, h('a', { href: '#/exchanges' }, '← all exchanges')),
        h(Loaded, { every: 0, read: () => get(`/v1/exchanges/${encodeURIComponent(number)}`) }, details =>
            h(Details, { details, caller }),
        ),
    );
}

function Details({ details, caller }) {
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
        h(Waterfall, { details }),
        h('h2', null, 'Differences'),
        details.differences.length === 0
            ? h(
                  'p',
                  { class: 'quiet' },
                  details.kind === 'SAME' ? 'Both replies are equal in every byte.' : 'None is known.',
              )
            : h(Differences, { differences: details.differences }),
        h('h2', null, 'Replies'),
        h(Replies, {
            number: details.exchange,
            production: details.production,
            copy: details.copy,
            kind: details.kind,
            caller,
        }),
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

/** Both replies; bodies that are no text on request. */
class Replies extends Component {
    async show() {
        const { number, production, copy } = this.props;
        const body = (side, reply) =>
            reply?.bodyBinary ? get(`/v1/exchanges/${encodeURIComponent(number)}/body?side=${side}`) : null;
        try {
            this.setState({
                bodies: { production: await body('production', production), copy: await body('debug', copy) },
                problem: null,
            });
        } catch (refusal) {
            this.setState({ problem: refusal.message });
        }
    }

    render({ production, copy, kind, caller }, { bodies, problem }) {
        if (production === null && copy === null) {
            return h(
                'p',
                { class: 'quiet' },
                kind === 'SAME'
                    ? 'Equal replies are not kept.'
                    : 'They are not kept: another protocol than HTTP, no reply, or too many newer ones.',
            );
        }
        const because = forbidden(caller, 'operate');
        const pairs = align(lines(production, bodies?.production), lines(copy, bodies?.copy));
        return h(
            'div',
            null,
            (production?.bodyBinary || copy?.bodyBinary) &&
                bodies === undefined &&
                h(
                    'p',
                    null,
                    h(
                        'button',
                        { type: 'button', disabled: because !== '', onClick: () => this.show() },
                        'Show the bytes',
                    ),
                    ' ',
                    because === '' ? 'Secrets in them can not be masked.' : because,
                ),
            problem && h('p', { class: 'problem', role: 'alert' }, visible(problem)),
            h(Images, { production: bodies?.production, copy: bodies?.copy }),
            h(
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
            ),
        );
    }
}

function title(name, reply) {
    return reply === null
        ? `${name}: not kept`
        : `${name}, ${bytes(reply.bodyBytes)}${reply.bodyCut ? ', only the beginning is kept' : ''}`;
}

function lines(reply, bytesOf) {
    if (reply === null) {
        return [];
    }
    const head = [
        `${reply.status} ${reply.reason}`.trim(),
        ...reply.headers.map(header => `${header.name}: ${header.value}`),
        '',
    ];
    const body =
        bytesOf
            ? hexLines(decoded(bytesOf.base64))
            : reply.bodyHidden === ''
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
