// By which rules an exchange fails: what holds, and a form to change it.
import { h, Component } from './preact.js';
import { get, post, remove } from './api.js';
import { Action, Because, Field, forbidden } from './actions.js';
import { Fold } from './parts.js';
import { visible } from './text.js';

const LABELS = '/v1/labels';
const YES_OR_NO = [
    ['yes', 'yes'],
    ['no', 'no'],
];
/** Name, label, hint, and how it is written in the form and read from it. */
const FIELDS = [
    ['status', 'Status', 'the least that fails, such as 500', String, numeric],
    ['different', 'Differences', 'whether a reply that differs from production’s fails', yes, isYes, YES_OR_NO],
    ['escaped', 'Exceptions', 'whether one that leaves the server’s entry fails', yes, isYes, YES_OR_NO],
    ['logged', 'Logged errors', 'whether an exchange with one counts as failing', yes, isYes, YES_OR_NO],
    ['slow', 'Slow', 'from which time on: 250ms, p99, or never', String, String],
    ['grpc', 'gRPC codes', 'those that fail, such as INTERNAL, UNAVAILABLE', codes => codes.join(', '), listed(',')],
    ['also', 'Rules', 'one in each line, such as 404 GET /users/*', rules => rules.join('\n'), listed('\n'), 'lines'],
    ['least', 'At least', 'so many failing, and so many successful ones, before methods are ranked', String, numeric],
];

/** What is no number is left to the sidecar, which says so. */
function numeric(text) {
    return /^\d+$/.test(text) ? Number(text) : text;
}

function yes(flag) {
    return flag ? 'yes' : 'no';
}

function isYes(text) {
    return text === 'yes';
}

function listed(separator) {
    return text =>
        text
            .split(separator)
            .map(part => part.trim())
            .filter(part => part !== '');
}

/** Whether it says otherwise than the settings. */
function isChanged(standing) {
    return FIELDS.some(([name, , , written]) => written(standing[name]) !== written(standing.configured[name]));
}

/** A form, filled with what holds once it is opened. */
export class FailureLabels extends Component {
    constructor(props) {
        super(props);
        this.state = { standing: null, values: null, problem: null };
    }

    async load() {
        try {
            this.fill(await get(LABELS));
        } catch (refusal) {
            this.setState({ problem: refusal.message });
        }
    }

    fill(standing) {
        const values = Object.fromEntries(FIELDS.map(([name, , , written]) => [name, written(standing[name])]));
        this.setState({ standing, values, problem: null });
    }

    /** What the form says otherwise than the sidecar did: other operators may change the rest. */
    changed() {
        const { standing, values } = this.state;
        const changed = FIELDS.filter(([name, , , written]) => values[name] !== written(standing[name]));
        return Object.fromEntries(changed.map(([name, , , , read]) => [name, read(values[name])]));
    }

    render({ caller, edition }, { standing, values, problem }) {
        const because = forbidden(caller, 'operate');
        return h(
            Fold,
            {
                name: 'labels',
                class: 'card wide labels',
                summary: `What counts as failing${edition > 0 ? ' (changed since the start)' : ''}`,
                toggled: open => open && this.load(),
            },
            h(Because, { reason: because }),
            problem !== null && h('p', { class: 'problem', role: 'alert' }, visible(problem)),
            values !== null &&
                h(
                    'div',
                    { class: 'form' },
                    FIELDS.map(([name, label, hint, , , options]) =>
                        h(Field, {
                            key: name,
                            name: `labels-${name}`,
                            label,
                            hint,
                            options: options === 'lines' ? undefined : options,
                            lines: options === 'lines',
                            disabled: because !== '',
                            value: values[name],
                            change: value => this.setState({ values: { ...values, [name]: value } }),
                        }),
                    ),
                    h(Action, {
                        label: 'Change',
                        question: 'Count as failing what these rules say from now on? The ranking begins anew.',
                        because,
                        run: async () => this.fill(await post(LABELS, this.changed())),
                    }),
                    isChanged(standing) &&
                        h(Action, {
                            label: 'As the settings say',
                            question: 'Count as failing what the settings say from now on? The ranking begins anew.',
                            because,
                            run: async () => this.fill(await remove(LABELS)),
                        }),
                ),
        );
    }
}
