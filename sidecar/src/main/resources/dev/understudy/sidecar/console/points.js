// Log points, snapshots and watched fields: a form whose expressions the agents check, how each fares, and its hits.
import { h, Component } from './preact.js';
import { get, post, remove, withParameters } from './api.js';
import { Action, Field } from './actions.js';
import { Loaded } from './parts.js';
import { count, counted, time, visible } from './text.js';

const EVERY_MILLIS = 2_000;
const MOST_HITS = 200;
const LOOK_MILLIS = 300;
const LOOKS = 40;
const KINDS = [
    ['log', 'log point'],
    ['snapshot', 'snapshot'],
    ['watch', 'watched field'],
];
const FIELDS = ['method', 'at', 'message', 'when', 'rate', 'quota'];
const EMPTY = { kind: 'log', method: '', at: 'exit', message: '', when: '' };

/** The text of a problem and the field that it is about; "" if it is about none. */
function placed(message) {
    const field = FIELDS.find(name => message.startsWith(`${name}:`)) ?? '';
    return { field, message: visible(message) };
}

export class Points extends Component {
    constructor(props) {
        super(props);
        this.state = { values: { ...EMPTY }, problem: null, hits: [], last: 0, paused: false };
    }

    componentDidMount() {
        this.shown = true;
        this.follow();
    }

    componentWillUnmount() {
        this.shown = false;
        clearTimeout(this.timer);
    }

    componentWillReceiveProps({ method }) {
        if (method !== '' && method !== this.props.method) {
            this.change('method', method);
            document.getElementById('field-method')?.focus();
        }
    }

    change(name, value) {
        const values = { ...this.state.values, [name]: value };
        if (name === 'kind') {
            values.at = value === 'watch' ? 'writes' : 'exit';
        }
        this.setState({ values });
    }

    /** One call at a time; a smaller number means another process, which counts anew. */
    async follow() {
        try {
            const found = await get(withParameters('/v1/hits', { after: this.state.last, limit: MOST_HITS }));
            if (this.shown && found.last < this.state.last) {
                this.setState({ hits: [], last: 0 });
            } else if (this.shown && !this.state.paused && found.hits.length > 0) {
                const hits = found.hits.concat(this.state.hits).sort(newestFirst).slice(0, MOST_HITS);
                this.setState({ hits, last: found.last });
            }
        } catch (refusal) {
            // the stream shows that the sidecar is away
        }
        if (this.shown) {
            this.timer = setTimeout(() => this.follow(), EVERY_MILLIS);
        }
    }

    /** Adds the point, and takes it back if an agent can't read it: its problem then stands at the field. */
    async add() {
        const { kind, method, at, message, when } = this.state.values;
        const added = await post('/v1/orders/points', {
            method: method.trim(),
            at: at.trim(),
            snapshot: kind === 'snapshot' || (kind === 'watch' && message === ''),
            message: kind === 'snapshot' ? '' : message,
            when,
        });
        let orders = added;
        for (let look = 0; look < LOOKS; look++) {
            const refused = refusal(orders, added.added);
            if (refused !== null) {
                await remove(`/v1/orders/points/${added.added}`);
                throw new Error(refused);
            }
            if (orders.agents.every(agent => agent.revision >= added.revision)) {
                return;
            }
            await new Promise(done => setTimeout(done, LOOK_MILLIS));
            orders = await get('/v1/orders');
        }
    }

    render({ because }, { values, problem, hits, paused }) {
        const field = (name, label, hint, options) =>
            h(Field, {
                name,
                label,
                hint,
                options,
                value: values[name],
                disabled: because !== '',
                problem: problem?.field === name ? problem.message : null,
                change: value => this.change(name, value),
            });
        const watch = values.kind === 'watch';
        return [
            h('h2', { key: 'title' }, 'Log points, snapshots and watches'),
            h(
                'div',
                { key: 'form', class: 'form points' },
                field('kind', 'Kind', 'what is reported', KINDS),
                field(
                    'method',
                    watch ? 'Field' : 'Method',
                    watch ? 'com.shop.Cart#total, a field' : 'com.shop.Cart#total, or with the parameters’ types',
                ),
                field('at', 'At', watch ? 'reads, writes or both' : 'entry, exit, throw or line:42'),
                values.kind !== 'snapshot' &&
                    field('message', 'Message', 'with values in braces: total of {this.id} is {return}'),
                field('when', 'When', 'a condition such as this.items.size > 3; always if empty'),
                problem?.field === '' && h('p', { class: 'problem', role: 'alert' }, problem.message),
                h(Action, {
                    label: 'Add point',
                    question:
                        `Have all debug JVMs report values at ${visible(values.method)}, ` +
                        'at most ten times a second?',
                    because,
                    quiet: true,
                    run: () => this.add(),
                    then: () => this.setState({ problem: null }),
                    refused: message => this.setState({ problem: placed(message) }),
                }),
            ),
            h(Loaded, { key: 'points', every: EVERY_MILLIS, read: () => get('/v1/orders/points') }, ({ points }) =>
                h(List, { points, because }),
            ),
            h(
                'div',
                { key: 'hits' },
                h(
                    'h2',
                    null,
                    'Hits ',
                    h(
                        'button',
                        {
                            type: 'button',
                            'aria-pressed': paused ? 'true' : 'false',
                            onClick: () => this.setState({ paused: !paused }),
                        },
                        'Pause',
                    ),
                ),
                hits.length === 0
                    ? h('p', { class: 'quiet' }, 'None yet.')
                    : h(
                          'ol',
                          { class: 'hits', tabindex: 0, 'aria-label': `The newest ${MOST_HITS} hits` },
                          hits.map(hit => h(Hit, { key: hit.number, hit })),
                      ),
            ),
        ];
    }
}

/** By when they were, not by when their agents sent them. */
function newestFirst(a, b) {
    return b.millis - a.millis || b.number - a.number;
}

/** What an agent says against a point, without its id; null if none does. */
function refusal(orders, id) {
    const start = `points: ${id}: `;
    for (const agent of orders.agents) {
        const problem = agent.problems.find(text => text.startsWith(start));
        if (problem !== undefined) {
            return problem.slice(start.length);
        }
    }
    return null;
}

function List({ points, because }) {
    return (
        points.length > 0 &&
        h(
            'ul',
            { class: 'rules' },
            points.map(point =>
                h(
                    'li',
                    { key: point.id },
                    h('b', null, point.id),
                    ' at ',
                    h('code', null, `${visible(point.method)} ${visible(point.at)}`),
                    point.message !== '' && [': ', h('code', { key: 'message' }, visible(point.message))],
                    point.when !== '' && [' when ', h('code', { key: 'when' }, visible(point.when))],
                    '. ',
                    point.agents.map(
                        agent =>
                            `${visible(agent.name)}: passed ${count(agent.passed)}, told ${count(agent.told)}. `,
                    ),
                    h(Action, {
                        label: 'Remove',
                        question: `Take ${point.id} back?`,
                        because,
                        run: () => remove(`/v1/orders/points/${point.id}`),
                    }),
                ),
            ),
        )
    );
}

function Hit({ hit }) {
    const values = Object.entries(hit.values);
    return h(
        'li',
        null,
        h('time', null, time(hit.millis)),
        ` ${visible(hit.point)} `,
        h('code', null, hit.text === '' ? visible(hit.place) : visible(hit.text)),
        values.length > 0 &&
            h(
                'details',
                null,
                h('summary', null, `${counted(values.length, 'value')} on ${visible(hit.thread)}`),
                h(
                    'dl',
                    { class: 'near' },
                    values.map(([name, value]) => [
                        h('dt', { key: name }, visible(name)),
                        h('dd', { key: `${name} value` }, h('code', null, visible(value))),
                    ]),
                ),
                h('pre', { class: 'commands', tabindex: 0 }, hit.stack.map(visible).join('\n')),
            ),
    );
}
