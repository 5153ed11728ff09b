// One exchange: what differs and why it counts, both replies beside each other, times, and how to make it happen again.
import { h } from './preact.js';
import { get } from './api.js';
import { Comparisons } from './compare.js';
import { Differences } from './differences.js';
import { Commands, Copy, Loaded, Verdict } from './parts.js';
import { bytes, time, visible, words } from './text.js';
import { explained } from './reasons.js';
import { Replies } from './replies.js';
import { RunAgain } from './run-again.js';
import { Waterfall } from './waterfall.js';

export function Exchange({ number, list, caller }) {
    return h(
        'div',
        null,
        h('p', null, h('a', { href: list }, '← exchanges')),
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
            details.failing !== null && [h('b', { key: 'fails', class: 'fails' }, 'failing'), ' '],
            details.reason !== null && h('b', null, words(details.reason)),
            ' ',
            explained(details.reason),
        ),
        h(
            'dl',
            { class: 'facts' },
            details.failing !== null && fact('Fails', `by the rule: ${details.failing.rule}`),
            fact('Exchange', details.exchange),
            fact('Time', time(details.at)),
            fact('Listener', details.listener),
            fact('Debug JVM', details.debug),
            fact('Route', details.route),
            fact('Connection', details.connection),
            fact('Status', `${details.productionStatus || '–'} / ${details.debugStatus || '–'}`),
            details.trace !== null && fact('Trace', details.trace, details.tracePage),
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
        h('h2', null, 'Request'),
        h(Sent, { sent: details.sent }),
        h('h2', null, 'Replies'),
        h(Replies, {
            number: details.exchange,
            production: details.production,
            copy: details.copy,
            kind: details.kind,
            caller,
        }),
        details.outgoing !== null && h(Outgoing, { outgoing: details.outgoing }),
        details.failing !== null && [
            h('h2', { key: 'parting' }, 'Compare with a good one'),
            h(Comparisons, { key: 'comparisons', caller, exchange: details.exchange }),
        ],
        h('h2', null, 'Fidelity of all that the listener copies'),
        h('p', null, visible(details.fidelity)),
        h('h2', null, 'Again'),
        h(RunAgain, { number: details.exchange, caller }),
        details.reproduce.some(line => line.startsWith('curl ')) &&
            h(Copy, { text: details.reproduce.filter(line => line.startsWith('curl ')).join('\n') }, 'Copy as curl'),
        h(Commands, { lines: details.reproduce }),
    );
}

function fact(name, value, page = '') {
    const shown = visible(value);
    return h('div', null, h('dt', null, name), h('dd', null, page === '' ? shown : h('a', { href: page }, shown)));
}

/** What the client sent, as production got it. */
function Sent({ sent }) {
    if (sent === null) {
        return h(
            'p',
            { class: 'quiet' },
            'It is not kept: another protocol than HTTP/1.1, more than 16 KiB, or too many newer ones.',
        );
    }
    const head = sent.headers.map(header => `${header.name}: ${header.value}`);
    const hidden = sent.bodyHidden === '' ? '' : `(${bytes(sent.bodyBytes)} not shown: ${sent.bodyHidden})`;
    const lines = [...head, '', sent.body, hidden].join('\n').trimEnd();
    return h('pre', { class: 'commands sent', tabindex: 0 }, visible(lines));
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
