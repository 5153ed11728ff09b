// The running code: woven methods, what is ordered of them, log points, snapshots and watches.
import { h, Component } from './preact.js';
import { get, post, withParameters } from './api.js';
import { Action, Because, forbidden } from './actions.js';
import { Flame } from './flame.js';
import { Points } from './points.js';
import { Loaded } from './parts.js';
import { count, percent, perSecond, visible } from './text.js';

const TYPING_MILLIS = 250;
const EVERY_MILLIS = 4_000;
const LIMIT = 50;

class Code extends Component {
    constructor(props) {
        super(props);
        const text = props.query.get('text') ?? '';
        this.state = { text, typed: text, method: '', ordered: 0 };
    }

    componentWillUnmount() {
        clearTimeout(this.typing);
    }

    type(typed) {
        clearTimeout(this.typing);
        this.typing = setTimeout(() => this.setState({ text: typed }), TYPING_MILLIS);
        this.setState({ typed });
    }

    /** Looks for a method that another part of this view names. */
    find(name) {
        clearTimeout(this.typing);
        this.setState({ text: name, typed: name });
        document.getElementById('view').scrollTop = 0;
    }

    order(change) {
        return post('/v1/orders/probes', change);
    }

    render({ caller }, { text, typed, method, ordered }) {
        const because = forbidden(caller, 'operate');
        const changed = () => this.setState({ ordered: ordered + 1 });
        return h(
            'div',
            null,
            h('h1', null, 'Code'),
            h(Because, { reason: because }),
            h(
                'div',
                { class: 'filters' },
                h(
                    'label',
                    { class: 'text' },
                    'Observable methods with',
                    h('input', {
                        name: 'method-text',
                        type: 'search',
                        maxlength: 200,
                        value: typed,
                        placeholder: 'part of a class or a method',
                        onInput: event => this.type(event.target.value),
                    }),
                ),
            ),
            h(
                Loaded,
                {
                    key: `${text} ${ordered}`,
                    every: EVERY_MILLIS,
                    read: () => get(withParameters('/v1/methods', { text, limit: LIMIT })),
                },
                document =>
                    h(Methods, {
                        document,
                        because,
                        order: change => this.order(change),
                        changed,
                        choose: chosen => this.setState({ method: chosen }),
                    }),
            ),
            h(Loaded, { key: ordered, every: EVERY_MILLIS, read: () => get('/v1/orders') }, ({ orders }) =>
                h(Rules, {
                    rules: orders.probes?.rules ?? [],
                    deepened: orders.deepen?.patterns ?? [],
                    because,
                    order: change => this.order(change),
                    changed,
                }),
            ),
            h(Points, { because, method }),
            h(Flame, { find: name => this.find(name) }),
        );
    }
}

/** Rows keep their order until somebody searches or orders, so that nobody chooses another one than was meant. */
class Methods extends Component {
    places = [];

    render({ document, because, order, changed, choose }) {
        const found = new Map(document.methods.map(method => [`${method.agent} ${method.method}`, method]));
        this.places = [...new Set([...this.places, ...found.keys()])].filter(key => found.has(key));
        const rows = this.places.map(key =>
            h(Method, { key, found: found.get(key), because, order, changed, choose }),
        );
        return h(MethodTable, { document, rows });
    }
}

function MethodTable({ document, rows }) {
    if (document.agents.length === 0) {
        return h(
            'p',
            { class: 'quiet' },
            'No agent has reported in the last ten seconds, so nothing is known of the code. ',
            h('code', null, 'understudy attach'),
            ' puts one into a running debug JVM.',
        );
    }
    const woven = document.agents.reduce((sum, agent) => sum + agent.woven, 0);
    return [
        h(
            'p',
            { key: 'found', class: 'quiet', title: 'Woven: the agent has put its probes into them' },
            `${count(document.found)} found, of ${count(woven)} that agents can observe; `,
            'those with the most calls came first when this list was made.',
        ),
        rows.length > 0 &&
            h(
                'div',
                { key: 'table', class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Methods' },
                h(
                    'table',
                    { class: 'methods' },
                    h(
                        'thead',
                        null,
                        h(
                            'tr',
                            null,
                            ['Method', 'Calls', 'Sampled', 'Mean', 'State', 'Order'].map(name =>
                                h('th', { key: name, scope: 'col' }, name),
                            ),
                        ),
                    ),
                    h('tbody', null, rows),
                ),
            ),
    ];
}

function Method({ found, because, order, changed, choose }) {
    const name = visible(found.method);
    const orders = [
        ['arm', 'Arm', `Sample ${name} before all others, within the budget?`],
        ['disarm', 'Disarm', `Neither count nor sample calls of ${name}?`],
        ['deepen', 'Look inside', `Look into the class of ${name}: branches, values and locks?`],
    ];
    return h(
        'tr',
        null,
        h('th', { scope: 'row' }, h('code', null, name), h('small', null, visible(found.agent))),
        h('td', null, perSecond(found.callsPerSecond)),
        h('td', null, percent(found.sampled)),
        h('td', null, found.sampled > 0 ? `${count(found.meanMicros)} µs` : '–'),
        h('td', null, visible(found.state) || '–'),
        h(
            'td',
            null,
            h(
                'div',
                { class: 'actions' },
                orders.map(([kind, label, question]) =>
                    h(Action, {
                        key: kind,
                        label,
                        question,
                        because,
                        run: () => order({ [kind]: [found.method] }),
                        then: changed,
                    }),
                ),
                h('button', { type: 'button', onClick: () => choose(found.method) }, 'Point here'),
            ),
        ),
    );
}

/** What somebody ordered, each with its end. What the search looks into by itself stands under Suspects. */
function Rules({ rules, deepened, because, order, changed }) {
    const item = (pattern, told, label, question, change) =>
        h(
            'li',
            { key: `${label} ${pattern}` },
            h('code', null, visible(pattern)),
            ` is ${told}. `,
            h(Action, { label, question, because, run: () => order(change), then: changed }),
        );
    const reset = pattern => {
        const also = deepened.includes(pattern) ? ', and look into it no more' : '';
        return `Leave ${visible(pattern)} to the controller again${also}?`;
    };
    return (
        rules.length + deepened.length > 0 &&
        h(
            'ul',
            { class: 'rules' },
            rules.map(({ pattern, stance }) =>
                item(pattern, visible(stance), 'Reset', reset(pattern), { reset: [pattern] }),
            ),
            deepened.map(pattern =>
                item(pattern, 'looked into', 'Look no more', `Look into ${visible(pattern)} no more?`, {
                    shallow: [pattern],
                }),
            ),
        )
    );
}

export { Code as View };
