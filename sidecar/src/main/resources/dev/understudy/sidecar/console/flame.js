// Flame graphs: where the debug JVM's time goes, or what it allocates, of any route and span of time.
import { h, Component } from './preact.js';
import { get, withParameters } from './api.js';
import { Loaded } from './parts.js';
import { bytes, count, counted, millis, percent, visible } from './text.js';

const EVERY_MILLIS = 5_000;
const WHOLE = 1_000_000;
const ROW = 18;
const LABELLED = WHOLE / 100;
const MOST_ROUTES = 300;
const SPANS = [
    ['', 'since the start'],
    ['60', 'last minute'],
    ['300', 'last 5 minutes'],
    ['3600', 'last hour'],
    ['own', 'from … to …'],
];
const JDK = /^(java|javax|jdk|sun|com\.sun)\./;

export class Flame extends Component {
    constructor() {
        super();
        this.state = { of: 'wall', span: '', from: '', to: '', route: '' };
    }

    /** What is asked for; null while a span of one's own isn't complete. */
    parameters() {
        const { of, span, from, to, route } = this.state;
        const [listener, debug, name] = route === '' ? ['', '', ''] : JSON.parse(route);
        const chosen = { of, listener, debug, route: name };
        if (span !== 'own') {
            return { ...chosen, last: span };
        }
        const [begin, end] = [from, to].map(time => new Date(time).getTime());
        return begin < end ? { ...chosen, from: begin, to: end } : null;
    }

    render({ find }, { of, span, from, to, route }) {
        const parameters = this.parameters();
        const path = parameters === null ? null : withParameters('/v1/flame/graph', parameters);
        return h(
            'section',
            { class: 'flames' },
            h('h2', null, 'Flame graph'),
            h(
                'div',
                { class: 'filters' },
                choice('flame-of', 'Of', of, [['wall', 'wall time'], ['allocation', 'allocations']], chosen =>
                    this.setState({ of: chosen, route: '' }),
                ),
                choice('flame-span', 'Time', span, SPANS, chosen => this.setState({ span: chosen })),
                span === 'own' && moment('flame-from', 'From', from, chosen => this.setState({ from: chosen })),
                span === 'own' && moment('flame-to', 'To', to, chosen => this.setState({ to: chosen })),
            ),
            path === null
                ? h('p', { class: 'quiet' }, 'Choose when it begins and, later than that, when it ends.')
                : h(
                      Loaded,
                      { key: path, every: span === 'own' ? 0 : EVERY_MILLIS, read: () => get(path) },
                      document =>
                          h(Graph, {
                              document,
                              of,
                              route,
                              since: span === 'own' ? parameters.from : span === '' ? 0 : document.at - 1000 * span,
                              choose: chosen => this.setState({ route: chosen }),
                              find,
                          }),
                  ),
        );
    }
}

function choice(name, label, value, options, change) {
    return h(
        'label',
        null,
        label,
        h(
            'select',
            { name, value, onInput: event => change(event.target.value) },
            options.map(([key, text]) => h('option', { key, value: key, selected: key === value }, text)),
        ),
    );
}

function moment(name, label, value, change) {
    return h(
        'label',
        null,
        label,
        h('input', { name, type: 'datetime-local', step: 1, value, onInput: event => change(event.target.value) }),
    );
}

/** One document: how both sides take, the boxes, and what is on top most often. */
class Graph extends Component {
    constructor() {
        super();
        this.state = { alone: null, at: null };
    }

    amount(number) {
        return this.props.of === 'wall' ? `${count(number)} ${number === 1 ? 'stack' : 'stacks'}` : bytes(number);
    }

    /** Those of the document that is shown now. */
    boxes() {
        const { document } = this.props;
        if (this.drawn !== document) {
            this.drawn = document;
            this.placed = placed(document);
        }
        return this.placed;
    }

    key(event, shown) {
        const { at } = this.state;
        const box = shown.find(one => one.path === at) ?? shown[0];
        const row = shown.filter(one => one.depth === box?.depth);
        const moves = {
            ArrowUp: () => box.parent,
            ArrowDown: () => shown.find(one => one.parent === box),
            ArrowLeft: () => row[row.indexOf(box) - 1],
            ArrowRight: () => row[row.indexOf(box) + 1],
        };
        if (event.key === 'Escape') {
            this.setState({ alone: null });
        } else if (event.key === 'Enter' && at !== null) {
            this.setState({ alone: at });
        } else if (moves[event.key] !== undefined && box !== undefined) {
            event.preventDefault();
            this.setState({ at: at === null ? box.path : (moves[event.key]() ?? box).path });
        }
    }

    render({ document, route, since, choose, find }, { alone, at }) {
        const boxes = this.boxes();
        const whole = boxes.find(box => box.path === alone) ?? null;
        const shown = whole === null ? boxes : boxes.filter(box => isOn(whole, box));
        const rows = shown.reduce((most, box) => Math.max(most, box.depth + 1), 0);
        const picked = shown.find(box => box.path === at);
        return h(
            'div',
            null,
            h(Routes, { routes: document.routes, route, choose, amount: number => this.amount(number) }),
            h(Sides, { document }),
            document.forgotten > since &&
                h(
                    'p',
                    { class: 'quiet' },
                    'Only the newest samples are known one by one: of this span, those after ',
                    new Date(document.forgotten).toLocaleTimeString(),
                    '.',
                ),
            document.total === 0 && h(Nothing, { of: this.props.of }),
            rows > 0 &&
                h(
                    'div',
                    {
                        class: 'flame',
                        tabindex: 0,
                        role: 'application',
                        'aria-label':
                            'Flame graph; arrows move among methods, Enter shows one alone, Escape shows all. ' +
                            'The most frequent are listed below.',
                        style: { height: `${rows * ROW}px` },
                        onKeyDown: event => this.key(event, shown),
                    },
                    shown.map(box =>
                        h(
                            'div',
                            {
                                key: box.path,
                                class: `box ${shade(box.name)}${box.path === at ? ' picked' : ''}`,
                                style: place(box, whole),
                                title: `${visible(box.name)}: ${this.amount(box.weight)} (${percent(share(box))})`,
                                onClick: () => this.setState({ alone: box.path, at: box.path }),
                            },
                            box.width / (whole?.width ?? WHOLE) < LABELLED / WHOLE ? '' : visible(short(box.name)),
                        ),
                    ),
                ),
            h(
                'p',
                { class: 'picked-box', role: 'status' },
                picked === undefined
                    ? rows > 0 &&
                          'A box is a method, as wide as its share, below its caller. Choose one to see it alone.'
                    : [
                          h('code', null, visible(picked.name)),
                          `: ${this.amount(picked.weight)} (${percent(share(picked))}) `,
                          h('button', { type: 'button', onClick: () => find(method(picked.name)) }, 'Find method'),
                      ],
                alone !== null &&
                    h('button', { type: 'button', onClick: () => this.setState({ alone: null }) }, 'Show all'),
            ),
            h(Hottest, { document, of: this.props.of }),
        );
    }
}

function Routes({ routes, route, choose, amount }) {
    const options = routes
        .slice(0, MOST_ROUTES)
        .map(one => [
            JSON.stringify([one.listener, one.debug, one.route]),
            visible(one.route) +
                (one.listener === '' ? '' : ` (${visible(one.listener)}, ${visible(one.debug)})`) +
                `: ${amount(one.weight)}`,
        ]);
    const known = route === '' || options.some(([key]) => key === route);
    return h(
        'div',
        { class: 'filters' },
        choice(
            'flame-route',
            'Route',
            route,
            [['', 'all routes'], ...options, ...(known ? [] : [[route, `${visible(JSON.parse(route)[2])}: none`]])],
            choose,
        ),
    );
}

/** How long both sides take, where it is known. */
function Sides({ document: { production, copy } }) {
    if (production.count === 0 || copy.count === 0) {
        return null;
    }
    const longest = Math.max(production.median, copy.median, 0.001);
    const row = (name, side, times) =>
        h(
            'tr',
            null,
            h('th', { scope: 'row' }, name),
            h('td', null, h('div', { class: `time ${side}`, style: { width: `${(100 * times.median) / longest}%` } })),
            h(
                'td',
                { class: 'number' },
                `median ${millis(times.median)}, p99 ${millis(times.p99)}, ${counted(times.count, 'exchange')}`,
            ),
        );
    return h(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Times of both sides' },
        h(
            'table',
            { class: 'times sides' },
            h('tbody', null, row('Production', 'production', production), row('Debug', 'debug', copy)),
        ),
    );
}

function Nothing({ of }) {
    return h(
        'p',
        { class: 'quiet' },
        of === 'wall'
            ? 'No stacks. They need an agent, and exchanges that last: it looks 20 times a second by default.'
            : ['No allocations. They need an agent with the setting ', h('code', null, 'allocations'), '.'],
    );
}

function Hottest({ document, of }) {
    const all = Math.max(1, document.total - document.left);
    return (
        document.hottest.length > 0 && [
            h('h3', { key: 'title' }, of === 'wall' ? 'On top of the stacks' : 'What is made most'),
            h(
                'ol',
                { key: 'list', class: 'hottest' },
                document.hottest.map(hot =>
                    h('li', { key: hot.name }, `${percent(hot.self / all)} `, h('code', null, visible(hot.name))),
                ),
            ),
            document.narrow > 0 &&
                h(
                    'p',
                    { key: 'narrow', class: 'quiet' },
                    `${count(document.narrow)} methods are too narrow to be drawn, with what they call.`,
                ),
        ]
    );
}

/** All boxes, row by row; documents come anew, so a box is known by its path. */
function placed({ names, boxes }) {
    let row = [];
    let above = [];
    let depth = 0;
    return boxes
        .map(([name, left, width, at, weight]) => ({ name: names[name], left, width, depth: at, weight }))
        .sort((one, other) => one.depth - other.depth || one.left - other.left)
        .map(box => {
            if (box.depth > depth) {
                above = row;
                row = [];
                depth = box.depth;
            }
            const middle = box.left + box.width / 2;
            box.parent = depth === 0 ? undefined : above.find(one => middle <= one.left + one.width);
            box.path = box.parent === undefined ? box.name : `${box.parent.path}\n${box.name}`;
            row.push(box);
            return box;
        });
}

/** Whether a box is above, below, or the one that is shown alone. */
function isOn(whole, box) {
    return whole.path === box.path || box.path.startsWith(`${whole.path}\n`) || whole.path.startsWith(`${box.path}\n`);
}

function place(box, whole) {
    const from = whole?.left ?? 0;
    const width = whole?.width ?? WHOLE;
    const left = Math.max(0, (box.left - from) / width);
    const right = Math.min(1, (box.left + box.width - from) / width);
    return { left: `${100 * left}%`, width: `${100 * (right - left)}%`, top: `${box.depth * ROW}px` };
}

const share = box => box.width / WHOLE;

/** Class and method without the package. */
function short(name) {
    return name.split('.').slice(-2).join('.');
}

/** As woven methods are named. */
function method(name) {
    return name.replace(/\.([^.]*)$/, '#$1');
}

/** The same for all methods of a package. */
function shade(name) {
    if (JDK.test(name)) {
        return 'jdk';
    }
    let hash = 0;
    for (const letter of name.split('.').slice(0, -2).join('.')) {
        hash = (31 * hash + letter.codePointAt(0)) % 5;
    }
    return `c${hash}`;
}
