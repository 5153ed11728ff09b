// What changes something: each asks once, and is disabled, with the reason, for those who may not.
import { h, Component } from './preact.js';
import { visible } from './text.js';

const RANKS = ['read', 'operate', 'admin'];

/** Why a caller may not do what needs a role; "" if it may. */
export function forbidden(caller, role) {
    if (caller.role === '' || RANKS.indexOf(caller.role) >= RANKS.indexOf(role)) {
        return '';
    }
    const roles = role === 'operate' ? 'operate or admin' : role;
    return `This needs the role ${roles}; ${visible(caller.name)} has ${caller.role}.`;
}

/** A button that opens a question, does what it says once that is confirmed, and shows what came of it. */
export class Action extends Component {
    ask() {
        if (this.state.working) {
            return;
        }
        this.setState({ asking: true, problem: null, done: false }, () => this.dialog.showModal());
    }

    async confirm() {
        this.close();
        this.setState({ working: true });
        try {
            await this.props.run();
            this.setState({ working: false, done: true });
            this.props.then?.();
        } catch (refusal) {
            this.setState({ working: false, problem: refusal.message });
            this.props.refused?.(refusal.message);
        }
    }

    /** Its closing removes it, as it does when Escape closes it. */
    close() {
        this.dialog.close();
    }

    render({ label, question, because, primary, quiet, said = 'done' }, { asking, problem, done }) {
        return h(
            'span',
            { class: 'action' },
            h(
                'button',
                {
                    type: 'button',
                    class: primary ? 'primary' : '',
                    disabled: because !== '',
                    title: because === '' ? undefined : because,
                    onClick: () => this.ask(),
                },
                label,
            ),
            done && h('span', { class: 'good', role: 'status' }, said),
            problem && !quiet && h('span', { class: 'problem', role: 'alert' }, visible(problem)),
            asking &&
                h(
                    'dialog',
                    {
                        'aria-label': label,
                        ref: dialog => {
                            this.dialog = dialog;
                        },
                        onClose: () => this.setState({ asking: false }),
                    },
                    h('p', null, question),
                    h(
                        'div',
                        { class: 'choice' },
                        h('button', { type: 'button', class: 'primary', onClick: () => this.confirm() }, label),
                        h('button', { type: 'button', onClick: () => this.close() }, 'Cancel'),
                    ),
                ),
        );
    }
}

/** The reason why all of a group is disabled, once. */
export function Because({ reason }) {
    return reason === '' ? null : h('p', { class: 'quiet because' }, reason);
}

/** A labelled input, with what is wrong with it: of a line, of several, or of options to choose from. */
export function Field({ name, label, hint, value, change, disabled, problem, options, lines }) {
    const id = `field-${name}`;
    const shared = {
        id,
        name,
        value,
        disabled,
        'aria-invalid': problem ? 'true' : undefined,
        'aria-describedby': `${id}-hint`,
        onInput: event => change(event.target.value),
    };
    return h(
        'div',
        { class: 'field' },
        h('label', { for: id }, label),
        options === undefined
            ? h(lines ? 'textarea' : 'input', { ...shared, autocomplete: 'off', spellcheck: false })
            : h(
                  'select',
                  shared,
                  options.map(([key, text]) => h('option', { key, value: key }, text)),
              ),
        h(
            'span',
            { id: `${id}-hint`, class: problem ? 'problem' : 'quiet', role: problem ? 'alert' : undefined },
            problem ?? hint,
        ),
    );
}
