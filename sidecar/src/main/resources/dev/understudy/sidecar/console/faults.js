// Faults that the debug JVM's upstream calls get on purpose: a form, those that stand, and a warning while one does.
import { h, Component } from './preact.js';
import { get, put, remove } from './api.js';
import { Action, Because, Field, forbidden } from './actions.js';
import { count, visible } from './text.js';

const KINDS = [
    ['latency', 'answers later'],
    ['error', 'answers an error'],
    ['reset', 'resets the connection'],
    ['black-hole', 'never answers'],
    ['bandwidth', 'answers slowly'],
    ['slow-close', 'closes late'],
];

/** What each kind takes besides, as the aggregator calls it, with a label and a hint. */
const DELAY = ['delay', 'Delay', 'such as 250ms or 2s'];
const TAKES = {
    latency: [DELAY, ['jitter', 'Jitter', 'up to that much more; none if empty']],
    error: [
        ['code', 'Code', 'a status, an SQLSTATE, or a word such as LOADING; the usual one if empty'],
        ['message', 'Message', 'what the error says'],
    ],
    reset: [],
    'black-hole': [],
    bandwidth: [['rate', 'Bytes a second', 'such as 10KiB']],
    'slow-close': [DELAY],
};
const SHARED = [
    ['form', 'Form', 'calls such as GET /price*; all if empty'],
    ['percent', 'Percent', 'of these calls; 100 if empty'],
    ['for', 'For', 'how long, such as 5m; until it is taken back if empty'],
];

/** The calls of one or all upstreams that are made to suffer. */
export class Faults extends Component {
    constructor(props) {
        super(props);
        this.state = { values: { upstream: props.upstreams[0] ?? '', fault: 'latency' }, problem: null };
    }

    fields() {
        return [...TAKES[this.state.values.fault], ...SHARED];
    }

    async inject() {
        const { values } = this.state;
        const rule = { upstream: values.upstream, fault: values.fault };
        for (const [name] of this.fields()) {
            if ((values[name] ?? '').trim() !== '') {
                rule[name] = values[name].trim();
            }
        }
        await put(`/v1/faults/${named(values)}`, rule);
    }

    render({ upstreams, faults, caller }, { values, problem }) {
        const because = forbidden(caller, 'operate');
        const stands = faults.some(fault => fault.name === named(values));
        const field = (name, label, hint, options) =>
            h(Field, {
                key: name,
                name,
                label,
                hint,
                options,
                value: values[name] ?? '',
                disabled: because !== '',
                change: value => this.setState({ values: { ...values, [name]: value } }),
            });
        return h(
            'section',
            { class: 'faults' },
            h('h2', null, 'Faults'),
            h(Warning, { faults }),
            h(Standing, { faults, because }),
            h(
                'details',
                null,
                h('summary', null, 'Inject a fault into the debug JVM’s calls'),
                h(Because, { reason: because }),
                h('p', { class: 'quiet' }, 'Production’s calls never get one.'),
                h(
                    'div',
                    { class: 'form' },
                    field('upstream', 'Upstream', 'whose calls', upstreams.map(name => [name, visible(name)])),
                    field('fault', 'Fault', 'one of a kind for each upstream', KINDS),
                    this.fields().map(([name, label, hint]) => field(name, label, hint)),
                    problem !== null && h('p', { class: 'problem', role: 'alert' }, problem),
                    h(Action, {
                        label: 'Inject',
                        question:
                            `Have the debug JVM’s calls to ${visible(values.upstream)} suffer this: ` +
                            `${words(values.fault)}?${stands ? ` It takes the place of ${named(values)}.` : ''}`,
                        because,
                        quiet: true,
                        run: () => this.inject(),
                        then: () => this.setState({ problem: null }),
                        refused: message => this.setState({ problem: visible(message) }),
                    }),
                ),
            ),
        );
    }
}

/** One of each kind for each upstream. */
function named({ upstream, fault }) {
    return `${upstream}-${fault}`.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 64);
}

function words(kind) {
    return (KINDS.find(([name]) => name === kind) ?? [kind, visible(kind)])[1];
}

function Standing({ faults, because }) {
    return (
        faults.length > 0 &&
        h(
            'div',
            null,
            h(
                'ul',
                { class: 'rules' },
                faults.map(fault =>
                    h(
                        'li',
                        { key: fault.name },
                        h('b', null, visible(fault.name)),
                        ` (${visible(fault.phase).toLowerCase()}): ${visible(fault.upstream)} ${words(fault.fault)}`,
                        details(fault),
                        `; ${count(fault.applied)} of ${count(fault.matched)} calls got it. `,
                        h(Action, {
                            label: 'Take back',
                            question: `Take ${visible(fault.name)} back?`,
                            because,
                            run: () => remove(`/v1/faults/${encodeURIComponent(fault.name)}`),
                        }),
                    ),
                ),
            ),
            h(Action, {
                label: 'Take all back',
                question: 'Take all faults back?',
                because,
                run: () => remove('/v1/faults'),
            }),
        )
    );
}

function details(fault) {
    const told = ['delay', 'jitter', 'rate', 'code', 'message', 'form', 'for']
        .filter(name => fault[name] !== undefined && fault[name] !== '0s')
        .map(name => `${name} ${visible(fault[name])}`);
    return ` (${[...told, `${fault.percent} %`].join(', ')})`;
}

/** Says that faults are active; nothing if none is. */
export function Warning({ faults }) {
    const active = faults.filter(fault => fault.phase === 'ACTIVE');
    return (
        active.length > 0 &&
        h(
            'p',
            { class: 'problem', role: 'status' },
            `Calls of the debug JVM get faults on purpose: ${active.map(fault => visible(fault.name)).join(', ')}. `,
            'Its replies may differ from production’s for that.',
        )
    );
}
