// Both replies of an exchange beside each other, with what differs marked.
import { h, Component } from './preact.js';
import { get } from './api.js';
import { forbidden } from './actions.js';
import { Images, decoded, hexLines } from './binary.js';
import { align, marked } from './diff.js';
import { Side } from './parts.js';
import { bytes, count, visible } from './text.js';

const MOST_LINES = 2_000;
const CONTEXT = 2;
const LEAST_FOLDED = 4;

/** Both replies; bodies that are no text on request. */
export class Replies extends Component {
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
                    ? 'Both are equal in every byte. Equal replies are kept only of failures, so that those that ' +
                      'differ stay longer; the commands below ask for it anew.'
                    : 'They are not kept: another protocol than HTTP, no reply, or too many newer ones.',
            );
        }
        const because = forbidden(caller, 'operate');
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
            h(Table, { production, copy, bodies, names: ['Production', 'Debug'] }),
        );
    }
}

/** Line by line; of bodies that are no text their bytes, where they are given. Long equal parts are folded. */
export class Table extends Component {
    constructor() {
        super();
        this.state = { open: new Set() };
    }

    unfold(start) {
        this.setState(({ open }) => ({ open: new Set(open).add(start) }));
    }

    render({ production, copy, bodies, names }, { open }) {
        const pairs = align(lines(production, bodies?.production), lines(copy, bodies?.copy));
        const rows = folded(pairs).map(({ start, end, isFolded }) =>
            isFolded && !open.has(start)
                ? h(Folded, { key: `fold ${start}`, lines: end - start, unfold: () => this.unfold(start) })
                : pairs
                      .slice(start, end)
                      .map(([ours, theirs], i) => h(Line, { key: start + i, ours, theirs })),
        );
        return h(Columns, { production, copy, names }, rows);
    }
}

/** Where both are equal for long, all but the lines next to what differs is folded; nothing if they don't differ. */
function folded(pairs) {
    const parts = [];
    let start = 0;
    const add = (end, isFolded) => {
        if (end > start) {
            parts.push({ start, end, isFolded });
            start = end;
        }
    };
    for (let i = 0; i <= pairs.length; i++) {
        const isEqual = i < pairs.length && pairs[i][0] === pairs[i][1];
        if (isEqual) {
            continue;
        }
        const first = start === 0 ? 1 : start + CONTEXT;
        const last = i === pairs.length ? i : i - CONTEXT;
        if (last - first >= LEAST_FOLDED && !(start === 0 && i === pairs.length)) {
            add(first, false);
            add(last, true);
        }
        add(Math.min(i + 1, pairs.length), false);
    }
    return parts;
}

function Folded({ lines: number, unfold }) {
    return h(
        'tr',
        { class: 'folded' },
        h('td', { colspan: 2 }, h('button', { type: 'button', onClick: unfold }, `${count(number)} equal lines`)),
    );
}

function Columns({ production, copy, names, children }) {
    return h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Both replies: ${names.join(', ')}` },
        h(
            'table',
            { class: 'replies' },
            h(
                'thead',
                null,
                h(
                    'tr',
                    null,
                    h('th', { scope: 'col' }, title(names[0], production)),
                    h('th', { scope: 'col' }, title(names[1], copy)),
                ),
            ),
            h('tbody', null, children),
        ),
    );
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
