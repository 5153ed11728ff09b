// Rules about differences that mean nothing: tried on what is kept, added, and taken back.
import { h, Component } from './preact.js';
import { get, post, remove } from './api.js';
import { Action, Because, Field, forbidden } from './actions.js';
import { Loaded } from './parts.js';
import { count, visible } from './text.js';

const EVERY_MILLIS = 4_000;
const RULES = '/v1/noise/rules';
const VALUES = [
    ['', 'choose'],
    ['any', 'anything'],
    ['time', 'a time'],
    ['uuid', 'a UUID'],
    ['number', 'a number'],
    ['token', 'a token of letters and digits'],
    ['order', 'the same in another order'],
];

let forms = 0;

/** A form for a rule about one of the places at which exchanges differ. */
export class AcceptNoise extends Component {
    constructor(props) {
        super(props);
        this.number = ++forms;
        const places = paths(props.cause);
        const values = { path: places[0] ?? '', value: '', route: routes(props.cause)[0][0] };
        this.state = { values, tried: null, problem: null };
    }

    async attempt() {
        const asked = this.state.values;
        let answer;
        try {
            answer = { tried: await post('/v1/noise/trial', asked), problem: null };
        } catch (refusal) {
            answer = { tried: null, problem: refusal.message };
        }
        if (this.state.values === asked) {
            this.setState(answer); // else it is about another rule
        }
    }

    render({ cause, caller }, { values, tried, problem }) {
        const because = forbidden(caller, 'operate');
        const field = (of, label, hint, options) =>
            h(Field, {
                name: `noise-${this.number}-${of}`,
                label,
                hint,
                options,
                value: values[of],
                change: value => this.setState({ values: { ...values, [of]: value }, tried: null }),
            });
        return h(
            'details',
            { class: 'accept' },
            h('summary', null, 'Accept as noise'),
            h(Because, { reason: because }),
            h(
                'div',
                { class: 'form' },
                field('path', 'Place', 'where it may differ', paths(cause).map(path => [path, visible(path)])),
                field('value', 'Value', 'what both sides have there', VALUES),
                field('route', 'Route', 'of which requests', routes(cause)),
                problem !== null && h('p', { class: 'problem', role: 'alert' }, visible(problem)),
                h('button', { type: 'button', onClick: () => this.attempt() }, 'Try'),
                h(Action, {
                    label: 'Accept',
                    question: `Let ${visible(values.path)} differ from now on? Earlier verdicts stay as they are.`,
                    because,
                    run: () => post(RULES, values),
                }),
            ),
            tried !== null && h(Tried, { tried }),
        );
    }
}

/** A cause of many routes has none of its own. */
function routes({ route }) {
    return route.startsWith('(') ? [['*', 'all']] : [[route, visible(route)], ['*', 'all']];
}

/** The paths of a cause's places, which begin with the kind of difference. */
function paths(cause) {
    return [...new Set(cause.places.map(place => place.slice(place.indexOf(' ') + 1)))];
}

function Tried({ tried }) {
    return h(
        'div',
        { class: 'tried', role: 'status' },
        h(
            'p',
            null,
            `Of ${count(tried.tried)} kept exchanges that differ, `,
            h('b', null, `${count(tried.hidden)} would count as the same`),
            `, and ${count(tried.reduced)} would differ less, or not be compared.`,
        ),
        h(
            'ul',
            null,
            tried.examples.map(example =>
                h(
                    'li',
                    { key: example.exchange },
                    h('a', { href: `#/exchanges/${example.exchange}` }, `exchange ${example.exchange}`),
                    ` ${visible(example.request)}: `,
                    h('code', null, visible(example.path)),
                    ' ',
                    h('del', null, visible(example.production)),
                    ' ',
                    h('ins', null, visible(example.debug)),
                ),
            ),
        ),
    );
}

/** The rules that were added. */
export function NoiseRules({ caller }) {
    const because = forbidden(caller, 'operate');
    return h(Loaded, { quiet: true, every: EVERY_MILLIS, read: () => get(RULES) }, ({ rules, configured }) =>
        rules.length === 0
            ? null
            : h(
                  'section',
                  { class: 'card wide noise-rules' },
                  h('h2', null, 'Accepted as noise'),
                  h(
                      'p',
                      { class: 'quiet' },
                      'Rules that were added hold until they are taken back or the sidecar’s lane process ends. ',
                      h('code', null, 'understudy noise export'),
                      ' writes them into a file for ',
                      h('code', null, 'comparison.noise-rules'),
                      `, with the ${count(configured)} of the settings.`,
                  ),
                  h(
                      'ul',
                      { class: 'rules' },
                      rules.map(rule => h(Rule, { key: rule.id, rule, because })),
                  ),
              ),
    );
}

function Rule({ rule, because }) {
    return h(
        'li',
        null,
        h('code', null, `${visible(rule.route)} ${visible(rule.path)}`),
        ` ${rule.value}, applied to ${count(rule.fired)} exchanges. `,
        h(Action, {
            label: 'Take back',
            question: `Let ${visible(rule.path)} count again from now on?`,
            because,
            run: () => remove(`${RULES}/${rule.id}`),
        }),
    );
}
