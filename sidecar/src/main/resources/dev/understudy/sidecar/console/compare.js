// Two executions on the copy, of a request that fails and of one that went well: asked for, and where they part.
import { h, Component } from './preact.js';
import { get, post } from './api.js';
import { Action, Because, forbidden } from './actions.js';
import { Card, Fold, Loaded } from './parts.js';
import { Source } from './source.js';
import { count, visible } from './text.js';

const RUNNING_MILLIS = 500;
const IDLE_MILLIS = 4_000;
const SHOWN = 10;
const KINDS = {
    RESULT: 'Equal arguments, another result',
    KIND: 'A result of another kind',
    WAY: 'Another way through the method',
};

/** Those of one failing exchange, or of all if none is given. */
export class Comparisons extends Component {
    constructor() {
        super();
        this.state = { begun: 0 };
    }

    async begin(reduce) {
        const { exchange } = this.props;
        await post('/v1/comparisons', { ...(exchange !== undefined && { exchange }), ...(reduce && { reduce }) });
        this.setState(({ begun }) => ({ begun: begun + 1 }));
    }

    render({ caller, exchange }, { begun }) {
        const because = forbidden(caller, 'operate');
        const isMeant = one => exchange === undefined || one.failing.exchange === exchange;
        return h(
            'div',
            { class: 'comparisons' },
            h(
                'p',
                { class: 'quiet' },
                'The failing request and the most similar good ones are sent to the debug JVM once more, its agent ',
                'records the calls of the classes that take part in failing, and the calls are laid beside each other.',
            ),
            h(
                'p',
                null,
                h(Action, {
                    label: 'Compare executions',
                    because,
                    said: 'begun',
                    question:
                        'Send a failing request twice and up to two good ones to the debug JVM, and record their ' +
                        'calls? Production does not get them. What they change in the debug JVM stays changed.',
                    run: () => this.begin(false),
                }),
                ' ',
                h(Action, {
                    label: 'Reduce, then compare',
                    because,
                    said: 'begun',
                    question:
                        'Send parts of a failing request to the debug JVM, up to some hundred, until nothing more ' +
                        'can be left out, and compare the smallest one that fails with the nearest one that does ' +
                        'not? Production does not get them. What they change in the debug JVM stays changed.',
                    run: () => this.begin(true),
                }),
            ),
            h(Because, { reason: because }),
            h(Loaded, { key: begun, every: pause, read: () => get('/v1/comparisons') }, ({ comparisons }) =>
                h(Newest, { comparisons: comparisons.filter(isMeant), name: `comparisons ${exchange ?? ''}` }),
            ),
        );
    }
}

function pause(document) {
    return document?.comparisons.some(one => one.state === 'RUNNING') ? RUNNING_MILLIS : IDLE_MILLIS;
}

function Newest({ comparisons, name }) {
    const [newest, ...older] = comparisons;
    return h(
        'div',
        null,
        newest && h(Comparison, { key: newest.number, comparison: newest }),
        older.length > 0 &&
            h(
                Fold,
                { name, summary: `${count(older.length)} before it` },
                older.map(comparison => h(Comparison, { key: comparison.number, comparison })),
            ),
    );
}

function Comparison({ comparison }) {
    const { failing, passing, asked, state, reduced } = comparison;
    return h(
        Card,
        { title: `Comparison ${comparison.number}${comparison.automatic ? ', begun by itself' : ''}`, wide: true },
        h(
            'ul',
            { class: 'plain' },
            h(Sample, { name: 'Failing', sample: failing, role: 'failing', asked }),
            passing.map(sample => h(Sample, { key: sample.exchange, name: 'Good', sample, role: 'passing', asked })),
        ),
        reduced && h(Reduced, { reduced }),
        state === 'RUNNING' && h('p', { role: 'status' }, `Running: ${visible(comparison.words)} …`),
        state === 'GIVEN_UP' &&
            h('p', { class: 'problem', role: 'alert' }, `Not compared: ${visible(comparison.words)}.`),
        state === 'DONE' && h(Partings, { comparison }),
    );
}

function Reduced({ reduced }) {
    const { request, needs, recordedBytes, smallestBytes, requests, limitReached } = reduced;
    return h(
        'div',
        null,
        h(
            'p',
            null,
            `The smallest request that fails: ${count(smallestBytes)} of ${count(recordedBytes)} bytes, found with `,
            `${count(requests)} requests`,
            limitReached && '; stopped at the limit, so it may not be the smallest',
            '.',
        ),
        h('pre', { class: 'commands', tabindex: 0 }, visible(request)),
        needs.length > 0 &&
            h(
                'ul',
                { class: 'plain' },
                needs.map(({ part, reply }, i) =>
                    h('li', { key: i }, 'Without ', h('code', null, visible(part)), `: ${visible(reply)}`),
                ),
            ),
    );
}

function Sample({ name, sample, role, asked }) {
    const isOfIt = one => one.exchange === sample.exchange && one.role === role;
    const again = asked.filter(isOfIt).map(one => visible(one.reply));
    return h(
        'li',
        null,
        `${name}: `,
        h('a', { href: `#/exchanges/${sample.exchange}` }, `exchange ${sample.exchange}`),
        `, ${visible(sample.request)}, status ${sample.status}`,
        again.length > 0 && `; again ${again.join(', ')}`,
    );
}

function Partings({ comparison }) {
    const { number, calls, classes, left, partings, partingCount } = comparison;
    return h(
        'div',
        null,
        h(
            'p',
            null,
            `${count(calls)} calls in ${count(classes)} ${classes === 1 ? 'class' : 'classes'} were compared`,
            left > 0 && `; ${count(left)} more were not recorded`,
            '.',
        ),
        partings.length === 0
            ? h('p', null, 'The executions part nowhere in these classes.')
            : h('ol', { class: 'partings' }, partings.slice(0, SHOWN).map(listed)),
        partings.length > SHOWN &&
            h(
                Fold,
                {
                    name: `partings ${number}`,
                    summary: `${count(partingCount - SHOWN)} later ones`,
                },
                h('ol', { class: 'partings', start: SHOWN + 1 }, partings.slice(SHOWN).map(listed)),
                partingCount > partings.length &&
                    h('p', { class: 'quiet' }, `The first ${count(partings.length)} of ${count(partingCount)}.`),
            ),
    );
}

function listed(parting, i) {
    return h(
        'li',
        { key: i },
        h('a', { href: `#/code?text=${encodeURIComponent(parting.method)}` }, h('code', null, visible(parting.method))),
        h('span', { class: 'quiet' }, ` ${KINDS[parting.kind] ?? ''}`),
        h(
            'dl',
            { class: 'sides' },
            h('dt', null, 'failing'),
            h('dd', null, h('del', null, visible(parting.failing))),
            h('dt', null, 'good'),
            h('dd', null, h('ins', null, visible(parting.passing))),
            parting.caller !== '' && [
                h('dt', { key: 'caller' }, 'called by'),
                h('dd', { key: 'by' }, h('code', null, visible(parting.caller))),
            ],
        ),
        h(Source, { method: parting.method, lines: [] }),
    );
}
