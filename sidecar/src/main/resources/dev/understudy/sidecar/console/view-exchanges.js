// The newest exchanges that fit a filter, as they come. The port filters; this keeps what can be scrolled to.
import { h, Component } from './preact.js';
import { get, withParameters } from './api.js';
import { VirtualList } from './list.js';
import { Verdict } from './parts.js';
import { lazy } from './lazy.js';
import { count, millis, time, visible, words } from './text.js';

const KINDS = ['SAME', 'EQUIVALENT', 'DIFFERENT', 'NOT_COMPARED'];
const FILTERS = ['kind', 'failing', 'route', 'status', 'since', 'text', 'debug', 'listener'];
const STATUSES = ['2xx', '3xx', '4xx', '5xx', 'differs'];
const AGES = [
    ['', 'any time'],
    ['60', 'last minute'],
    ['300', 'last 5 minutes'],
    ['3600', 'last hour'],
];
const MOST_ROWS = 5_000;
const MOST_ROUTES = 200;
/** More than can be seen: what arrives faster than the list shows it isn't fetched until somebody scrolls there. */
const NEWEST = 100;
const OLDER = 500;
const TYPING_MILLIS = 250;

const Exchange = lazy(() => import('./exchange.js'), 'Exchange');

/** The list that was shown last, with its filter. */
let list = '#/exchanges';

function View(props) {
    const { argument, query, caller } = props;
    if (argument === '') {
        list = withParameters('#/exchanges', filterOf(query));
        return h(Exchanges, props);
    }
    return h(Exchange, { key: argument, number: argument, list, caller });
}

class Exchanges extends Component {
    constructor(props) {
        super(props);
        this.routes = new Set();
        this.failures = new Set();
        this.wanted = filterOf(props.query);
        this.typed = {};
        this.state = {
            filter: this.wanted,
            rows: [],
            next: 0,
            paused: false,
            scrolled: false,
            selected: -1,
            newest: 0,
            loaded: false,
        };
    }

    componentDidMount() {
        this.shown = true;
        this.leave = this.props.feed.subscribe(() => this.tick());
        this.keys = event => this.key(event);
        addEventListener('keydown', this.keys);
        this.reload();
    }

    componentWillUnmount() {
        this.shown = false;
        this.leave();
        removeEventListener('keydown', this.keys);
        clearTimeout(this.typing);
    }

    componentWillReceiveProps(props) {
        const filter = filterOf(props.query);
        if (JSON.stringify(filter) !== JSON.stringify(this.wanted)) {
            this.wanted = filter;
            this.setState({ filter }, () => this.reload());
        }
    }

    /** A tick brings new rows if they are wanted, and if the last ones have come. */
    tick() {
        const newest = this.props.feed.now?.newest ?? 0;
        if (this.props.feed.connections !== this.connections) {
            this.reload();
        } else if (newest > this.state.newest && !this.isHeld() && !this.loading) {
            this.load({ after: this.state.newest });
        } else if (this.isHeld()) {
            this.setState({});
        }
    }

    isHeld() {
        return this.state.paused || this.state.scrolled;
    }

    reload() {
        this.run = (this.run ?? 0) + 1;
        this.connections = this.props.feed.connections;
        this.loading = false;
        this.list?.toTop();
        this.setState({ rows: [], next: 0, newest: 0, selected: -1, scrolled: false, loaded: false });
        this.load({});
    }

    async load(range) {
        const run = this.run;
        this.loading = true;
        try {
            const { since, ...filter } = this.state.filter;
            const from = since === '' ? '' : Date.now() - 1000 * Number(since);
            const limit = range.before === undefined ? NEWEST : OLDER;
            const found = await get(withParameters('/v1/exchanges', { ...filter, since: from, ...range, limit }));
            if (this.shown && run === this.run) {
                this.found(range, found);
            }
        } catch (refusal) {
            if (this.shown && run === this.run) {
                this.setState({ problem: refusal.message, loaded: true });
            }
        } finally {
            if (run === this.run) {
                this.loading = false;
            }
        }
    }

    found(range, found) {
        const routes = this.routes;
        for (const row of found.exchanges) {
            if (routes.size < MOST_ROUTES) {
                routes.add(row.route);
            }
            for (const status of [row.productionStatus, row.debugStatus]) {
                if (status >= 400 && status < 600) {
                    this.failures.add(String(status));
                }
            }
        }
        this.setState(state => {
            if (range.before !== undefined) {
                const longer = newestFirst(state.rows.concat(found.exchanges));
                const selected = longer.indexOf(state.rows[state.selected]);
                return { rows: longer, next: found.next, selected, problem: null, loaded: true };
            }
            // more came than one page holds: the list begins anew, so that it has no hole
            const fresh = range.after === undefined || found.next > range.after;
            const rows = newestFirst(fresh ? found.exchanges : found.exchanges.concat(state.rows)).slice(0, MOST_ROWS);
            const selected = state.selected < 0 ? -1 : rows.indexOf(state.rows[state.selected]);
            return {
                rows,
                next: fresh ? found.next : state.next,
                newest: found.newest,
                selected,
                problem: null,
                loaded: true,
            };
        });
    }

    /** Classes, what failed so far, and what the address asks for. */
    statuses(wanted) {
        return [...new Set([...STATUSES, ...[...this.failures].sort(), ...(wanted === '' ? [] : [wanted])])];
    }

    scrolled(top, nearEnd) {
        const scrolled = top > 40;
        if (scrolled !== this.state.scrolled) {
            this.setState({ scrolled });
        }
        const { rows, next } = this.state;
        if (nearEnd && next > 0 && rows.length < MOST_ROWS && !this.loading) {
            this.load({ before: next });
        }
    }

    /** Changes the filter, with what was typed shortly before, and the address: so each list has a link. */
    filterBy(changes) {
        clearTimeout(this.typing);
        this.wanted = { ...this.wanted, ...this.typed, ...changes };
        this.typed = {};
        location.replace(withParameters('#/exchanges', this.wanted));
        this.setState({ filter: this.wanted }, () => this.reload());
    }

    type(name, value) {
        clearTimeout(this.typing);
        this.typed[name] = value;
        this.typing = setTimeout(() => this.filterBy({}), TYPING_MILLIS);
    }

    key(event) {
        if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
            return;
        }
        const { rows, selected, paused } = this.state;
        if (event.key === '/') {
            event.preventDefault();
            this.text.focus();
        } else if (event.key === 'p') {
            this.setState({ paused: !paused });
        } else if (event.key === 'j' || event.key === 'k') {
            const moved = Math.max(0, Math.min(rows.length - 1, selected + (event.key === 'j' ? 1 : -1)));
            this.setState({ selected: moved });
            this.list.reveal(moved);
        } else if (
            event.key === 'Enter' &&
            rows[selected] !== undefined &&
            event.target.tagName !== 'A' &&
            event.target.tagName !== 'BUTTON'
        ) {
            location.hash = `#/exchanges/${rows[selected].exchange}`;
        }
    }

    showNewest() {
        this.list.toTop();
        this.setState({ paused: false, scrolled: false }, () => this.load({ after: this.state.newest }));
    }

    render({ feed }, { filter, rows, paused, selected, newest, problem, loaded, next }) {
        const waiting = this.isHeld() ? Math.max(0, (feed.now?.newest ?? 0) - newest) : 0;
        return h(
            'div',
            { class: 'fill' },
            h('h1', null, 'Exchanges'),
            h(
                'form',
                { class: 'filters', onSubmit: event => event.preventDefault() },
                h(
                    'fieldset',
                    null,
                    h('legend', null, 'Verdict'),
                    KINDS.map(kind =>
                        h(
                            'label',
                            { key: kind, class: 'chip' },
                            h('input', {
                                type: 'checkbox',
                                name: kind,
                                checked: filter.kind.split(',').includes(kind),
                                onChange: event =>
                                    this.filterBy({ kind: toggled(filter.kind, kind, event.target.checked) }),
                            }),
                            h(Verdict, { kind }),
                        ),
                    ),
                ),
                h(
                    'label',
                    { class: 'chip', title: 'By the rules under Suspects that held when an exchange ended' },
                    h('input', {
                        type: 'checkbox',
                        name: 'failing',
                        checked: filter.failing === 'true',
                        onChange: event => this.filterBy({ failing: event.target.checked ? 'true' : '' }),
                    }),
                    h('b', { class: 'fails' }, 'failing'),
                ),
                h(
                    'label',
                    null,
                    'Route',
                    h('input', {
                        name: 'route',
                        list: 'routes',
                        value: this.typed.route ?? filter.route,
                        placeholder: 'any',
                        onInput: event => this.type('route', event.target.value),
                    }),
                ),
                h(
                    'datalist',
                    { id: 'routes' },
                    [...this.routes].sort().map(route => h('option', { key: route, value: route })),
                ),
                h(
                    'label',
                    null,
                    'Status',
                    h(
                        'select',
                        {
                            name: 'status',
                            value: filter.status,
                            onChange: event => this.filterBy({ status: event.target.value }),
                        },
                        h('option', { value: '' }, 'any'),
                        this.statuses(filter.status).map(status =>
                            h('option', { key: status, value: status }, status),
                        ),
                    ),
                ),
                h(
                    'label',
                    null,
                    'Time',
                    h(
                        'select',
                        {
                            name: 'since',
                            value: filter.since,
                            onChange: event => this.filterBy({ since: event.target.value }),
                        },
                        AGES.map(([seconds, name]) => h('option', { key: seconds, value: seconds }, name)),
                    ),
                ),
                h(
                    'label',
                    { class: 'text' },
                    'Text',
                    h('input', {
                        name: 'text',
                        type: 'search',
                        value: this.typed.text ?? filter.text,
                        maxlength: 200,
                        placeholder: 'request or difference',
                        ref: input => {
                            this.text = input;
                        },
                        onInput: event => this.type('text', event.target.value),
                    }),
                ),
                h(
                    'button',
                    {
                        type: 'button',
                        'aria-pressed': String(paused),
                        title: 'Key p',
                        onClick: () => this.setState({ paused: !paused }),
                    },
                    paused ? 'Go on' : 'Pause',
                ),
                waiting > 0 &&
                    h(
                        'button',
                        { type: 'button', class: 'primary', onClick: () => this.showNewest() },
                        `${count(waiting)} newer`,
                    ),
            ),
            problem && h('p', { class: 'problem', role: 'alert' }, problem),
            h(
                'div',
                { class: 'row head', 'aria-hidden': 'true' },
                h(
                    'div',
                    { class: 'cells' },
                    ['Time', 'Verdict', 'Status', 'Request', 'Production', 'Debug'].map(name =>
                        h('span', { key: name }, name),
                    ),
                ),
            ),
            h(VirtualList, {
                label: 'Exchanges, newest first',
                rows,
                ref: list => {
                    this.list = list;
                },
                onScroll: (top, nearEnd) => this.scrolled(top, nearEnd),
                row: (row, i) => h(Row, { row, selected: i === selected }),
            }),
            h(
                'p',
                { class: 'quiet count' },
                rows.length === 0
                    ? loaded
                        ? next > 0
                            ? 'None of the newest 5 000 fits.'
                            : 'No exchange fits.'
                        : 'Loading …'
                    : `${count(rows.length)} shown${rows.length >= MOST_ROWS ? ', the most that a list holds' : ''}`,
                rows.length === 0 &&
                    next > 0 &&
                    h('button', { type: 'button', onClick: () => this.load({ before: next }) }, 'Look further back'),
            ),
        );
    }
}

function filterOf(query) {
    return Object.fromEntries(FILTERS.map(name => [name, query.get(name) ?? '']));
}

/** By arrival, which is what is shown; the port has them as they were judged. What has no time stays where it is. */
function newestFirst(rows) {
    let last = Infinity;
    for (const row of rows) {
        last = row.at || last;
        row.order = last;
    }
    return rows.sort((a, b) => (a.order === b.order ? b.number - a.number : b.order - a.order));
}

function toggled(kinds, kind, on) {
    const chosen = new Set(kinds.split(',').filter(name => name !== ''));
    if (on) {
        chosen.add(kind);
    } else {
        chosen.delete(kind);
    }
    return [...chosen].join(',');
}

function Row({ row, selected }) {
    const status =
        row.productionStatus === row.debugStatus
            ? row.productionStatus === 0
                ? '–'
                : row.productionStatus
            : `${row.productionStatus || '–'} ≠ ${row.debugStatus || '–'}`;
    return h(
        'a',
        { class: selected ? 'cells selected' : 'cells', href: `#/exchanges/${row.exchange}` },
        h('span', null, time(row.at)),
        h('span', null, h(Verdict, { kind: row.kind })),
        h(
            'span',
            { class: row.failing !== null || row.productionStatus !== row.debugStatus ? 'bad' : '' },
            row.failing !== null && h('b', { class: 'fails', title: `Fails: ${visible(row.failing.rule)}` }, '!'),
            row.failing !== null && h('span', { class: 'unseen' }, 'failing, '),
            status,
        ),
        h(
            'span',
            { class: 'request', title: row.reason === null ? undefined : words(row.reason) },
            visible(row.request),
        ),
        h('span', null, millis(row.productionMillis)),
        h('span', null, millis(row.debugMillis)),
    );
}

export { View };
