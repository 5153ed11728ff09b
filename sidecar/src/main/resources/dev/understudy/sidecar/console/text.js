// Numbers and times as people read them.

export function count(number) {
    return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

/** A number of things: "1 connection", "2 connections". */
export function counted(number, name) {
    return `${count(number)} ${name}${number === 1 ? '' : 's'}`;
}

export function perSecond(number) {
    return `${number >= 100 ? count(number) : number.toFixed(1)}/s`;
}

export function bytes(number) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let value = number;
    let unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
        value /= 1024;
        unit++;
    }
    return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function millis(number) {
    if (number === null || number === undefined) {
        return '–';
    }
    if (number >= 3_600_000) {
        return `${(number / 3_600_000).toFixed(1)} h`;
    }
    if (number >= 60_000) {
        return `${(number / 60_000).toFixed(1)} min`;
    }
    return number >= 1_000
        ? `${(number / 1_000).toFixed(2)} s`
        : `${number >= 100 ? Math.round(number) : number.toFixed(1)} ms`;
}

export function percent(share) {
    const value = 100 * share;
    return `${value > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}

export function time(at) {
    if (at === 0) {
        return '–';
    }
    const date = new Date(at);
    const two = number => String(number).padStart(2, '0');
    const fraction = String(date.getMilliseconds()).padStart(3, '0');
    return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${fraction}`;
}

/** A constant of the port in words: NOT_COMPARED as "not compared". */
export function words(constant) {
    return constant === null || constant === undefined ? '' : constant.toLowerCase().replaceAll('_', ' ');
}

/** Shows control characters, which could change what stands around them. */
export function visible(value) {
    return String(value).replace(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
        c =>
            c.charCodeAt(0) < 32
                ? String.fromCharCode(0x2400 + c.charCodeAt(0))
                : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
