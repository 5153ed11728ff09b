// Other class files for the running debug JVMs: choosing and applying them, how agents fare with it, and the way back.
import { h, Component } from './preact.js';
import { get, putBytes, remove } from './api.js';
import { Action } from './actions.js';
import { packed } from './jar.js';
import { Card, Loaded } from './parts.js';
import { count, visible } from './text.js';

const EVERY_MILLIS = 2_000;
const PATH = '/v1/orders/patch';

export class Patch extends Component {
    render({ admin }) {
        return h(
            Card,
            { title: 'Patch' },
            h(Loaded, { every: EVERY_MILLIS, read }, ({ patch, orders, resync }) =>
                h(
                    'div',
                    null,
                    h(
                        'p',
                        null,
                        patch.id === ''
                            ? 'The debug JVMs run their own classes.'
                            : `The debug JVMs are to run patch ${visible(patch.id)}: ${some(patch.classes)}.`,
                    ),
                    h(Agents, { patch, orders }),
                    patch.id !== '' && h(Verdicts, { patch, epochs: resync.epochs }),
                    h(
                        'p',
                        { class: 'actions' },
                        h(Action, {
                            label: 'Take the patch back',
                            question: 'Have the debug JVMs run their own classes again? Another epoch begins.',
                            because: patch.id === '' ? 'There is no patch.' : admin,
                            run: () => remove(PATH),
                        }),
                    ),
                ),
            ),
            h(Chooser, { admin }),
        );
    }
}

/** All that the card shows, as of one moment. */
async function read() {
    const [patch, orders, resync] = await Promise.all([get(PATH), get('/v1/orders'), get('/v1/resync')]);
    return { patch, orders, resync };
}

/** What is chosen is packed at once, so that what is wrong with it is said before anybody asks the port. */
class Chooser extends Component {
    async choose(files) {
        this.setState({ chosen: null, problem: null });
        if (files.length === 0) {
            return;
        }
        const run = (this.run = (this.run ?? 0) + 1);
        let choice;
        try {
            choice = { chosen: await packed(files) };
        } catch (unfit) {
            choice = { problem: unfit.message };
        }
        if (run === this.run) {
            this.setState(choice);
        }
    }

    /** A file that is built again must be chosen again. */
    applied() {
        this.input.value = '';
        this.setState({ chosen: null, problem: null });
    }

    render({ admin }, { chosen, problem }) {
        return h(
            'div',
            { class: 'form' },
            h(
                'div',
                { class: 'field' },
                h('label', { for: 'field-patch' }, 'Class files, or a jar with them'),
                h('input', {
                    id: 'field-patch',
                    name: 'patch',
                    type: 'file',
                    multiple: true,
                    accept: '.class,.jar',
                    disabled: admin !== '',
                    'aria-invalid': problem ? 'true' : undefined,
                    'aria-describedby': 'field-patch-hint',
                    ref: input => {
                        this.input = input;
                    },
                    onChange: event => this.choose([...event.target.files]),
                }),
                h(
                    'span',
                    {
                        id: 'field-patch-hint',
                        class: problem ? 'problem' : 'quiet',
                        role: problem ? 'alert' : undefined,
                    },
                    problem
                        ? visible(problem)
                        : chosen
                          ? `${some(chosen.classes)} to apply`
                          : 'the changed classes alone; only bodies of methods may change',
                ),
            ),
            h(
                'p',
                { class: 'actions' },
                h(Action, {
                    label: 'Apply',
                    question:
                        `Have the debug JVMs run ${chosen ? some(chosen.classes) : 'it'} instead of their own? ` +
                        'Another epoch begins.',
                    because: admin === '' && !chosen ? 'Choose class files first.' : admin,
                    said: 'asked for',
                    run: () => putBytes(PATH, chosen.jar),
                    then: () => this.applied(),
                }),
            ),
        );
    }
}

/** How far each is with what was asked for last. */
function Agents({ patch, orders }) {
    if (orders.agents.length === 0) {
        return patch.id !== '' && h('p', { class: 'problem' }, 'No agent is there to follow it.');
    }
    const told = orders.agents.map(agent => {
        const problems = agent.problems.filter(text => text.startsWith('patch: '));
        const standing = agent.standing.patch ?? 'none';
        return { name: visible(agent.name), problems, standing, follows: agent.revision >= orders.revision };
    });
    return h(
        'ul',
        { class: 'plain patched' },
        told
            .filter(agent => patch.id !== '' || agent.standing !== 'none' || agent.problems.length > 0)
            .map(agent =>
                h(
                    'li',
                    { key: agent.name },
                    `${agent.name}${agent.follows ? '' : ' does not follow yet'}: ${visible(agent.standing)}`,
                    agent.problems.map(text => h('span', { key: text, class: 'problem' }, visible(text))),
                ),
            ),
    );
}

/** Of the replies with the patch, beside those of the epoch before. */
function Verdicts({ patch, epochs }) {
    const at = epochs.findLastIndex(epoch => epoch.patch === patch.id);
    if (at < 0) {
        return h('p', { class: 'quiet' }, 'No debug JVM runs with it yet.');
    }
    const line = epoch => `${count(epoch.different)} of ${count(epoch.compared)} differ`;
    return h(
        'p',
        { class: 'figure' },
        h('b', null, line(epochs[at])),
        ' with it',
        at > 0 && `; ${line(epochs[at - 1])} in the epoch before`,
        '.',
    );
}

function some(classes) {
    const first = visible(classes[0]);
    return classes.length === 1 ? first : `${count(classes.length)} classes (${first}, …)`;
}
