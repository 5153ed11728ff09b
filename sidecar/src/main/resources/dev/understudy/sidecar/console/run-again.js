// Sends one exchange's request to the debug JVM once more, and shows its new reply beside production's recorded one.
import { h, Component } from './preact.js';
import { get, post } from './api.js';
import { Action, Because, forbidden } from './actions.js';
import { Differences } from './differences.js';
import { Verdict } from './parts.js';
import { Table } from './replies.js';
import { explained } from './reasons.js';
import { millis, time, visible, words } from './text.js';

const LOOKING_MILLIS = 500;

export class RunAgain extends Component {
    path() {
        return `/v1/exchanges/${encodeURIComponent(this.props.number)}/replay`;
    }

    componentDidMount() {
        this.shown = true;
        this.look();
    }

    componentWillUnmount() {
        this.shown = false;
        clearTimeout(this.timer);
    }

    async look() {
        try {
            this.saw(await get(this.path()));
        } catch (refusal) {
            this.setState({ problem: refusal.message });
        }
    }

    saw(run) {
        if (this.shown) {
            this.setState({ run, problem: null });
            clearTimeout(this.timer);
            if (run.state === 'RUNNING') {
                this.timer = setTimeout(() => this.look(), LOOKING_MILLIS);
            }
        }
    }

    render({ caller }, { run, problem }) {
        if (run === undefined) {
            return problem && h('p', { class: 'problem', role: 'alert' }, visible(problem));
        }
        const because = run.obstacle === '' ? forbidden(caller, 'operate') : `Not possible: ${visible(run.obstacle)}.`;
        return h(
            'div',
            { class: 'run-again' },
            h(
                'p',
                null,
                h(Action, {
                    label: 'Run again',
                    because,
                    said: 'sent',
                    question:
                        'Send this request to the debug JVM once more? Production does not get it. ' +
                        'What it changes in the debug JVM stays changed. Its verdict counts nowhere; its upstream ' +
                        'calls do, and fail where no recorded reply is left.',
                    run: async () => this.saw(await post(this.path(), {})),
                }),
            ),
            h(Because, { reason: because }),
            problem && h('p', { class: 'problem', role: 'alert' }, visible(problem)),
            run.state !== 'NONE' && h(Outcome, { run }),
        );
    }
}

function Outcome({ run }) {
    if (run.state === 'RUNNING') {
        return h('p', { role: 'status' }, 'The debug JVM has the request, and has not answered yet …');
    }
    if (run.kind === null) {
        return h('p', { class: 'problem', role: 'alert' }, 'It was given up: the debug JVM did not answer in time.');
    }
    return h(
        'div',
        { class: 'outcome' },
        h(
            'p',
            { role: 'status' },
            `At ${time(run.at)} the debug JVM answered: `,
            h(Verdict, { kind: run.kind }),
            run.reason !== null && [' ', h('b', null, words(run.reason)), ' ', explained(run.reason)],
            run.debugMillis !== null && `, after ${millis(run.debugMillis)}`,
        ),
        run.kind !== 'SAME' &&
            run.kind !== 'EQUIVALENT' &&
            h(
                'p',
                { class: 'quiet' },
                'Upstreams gave it what they had given it before. A call that found nothing stands under ',
                h('a', { href: '#/upstreams' }, 'Upstreams'),
                ', as missed.',
            ),
        run.differences.length > 0 && h(Differences, { differences: run.differences }),
        run.copy !== null &&
            h(Table, { production: run.production, copy: run.copy, names: ['Production', 'Debug, run again'] }),
    );
}
