// Why an exchange was not compared, and why a difference does not count, in a sentence.
const SENTENCES = {
    NO_DEBUG_REPLY: 'The debug JVM has not answered, and will not on this connection.',
    DEBUG_CLOSED: 'The debug JVM closed the connection before its reply was complete.',
    DEBUG_UNREACHABLE: 'The debug JVM could not be reached.',
    NO_PRODUCTION_REPLY: 'Production has not answered, so there is nothing to compare with.',
    OVERFLOW: 'The window was full: input or replies were lost.',
    UNFRAMED: 'The bytes of one side could not be cut into requests and replies.',
    ENCRYPTED: 'The client speaks TLS with production itself, which can not be copied.',
    INCOMPLETE: 'One of the replies was cut off.',
    TIMED_OUT: 'The debug JVM took longer than allowed.',
    NOT_JOINED: 'A reply could not be assigned to its request.',
    SERVER_PUSH: 'From here on the server sends without being asked.',
    VOLATILE: 'The server makes this answer up each time.',
    TOO_LARGE: 'Only hashes are known of replies this large.',
    ENCODING: 'A body has a content coding that can not be read.',
    OUT_OF_ORDER: 'They differ, but debug got the request before it had answered an earlier one.',
    MISALIGNED: 'An earlier reply of this connection had another length.',
    AUTHENTICATION: 'The debug server lets clients in in another way than production.',
    GUESSED: 'The replies differ, but upstream calls of the debug JVM were answered by a guess.',
    CLIENT_CLOSED: 'The client went away before production had answered.',
    SHUTDOWN: 'The sidecar was stopped.',
    SWITCHED_OFF: 'Copying was switched off in between.',
    INTERNAL: 'A defect of the sidecar.',
};

export function explained(reason) {
    return SENTENCES[reason] ?? '';
}

const NOISE = {
    DATE_HEADER: 'Both sides say when they answered.',
    CONNECTION_HEADER: 'It is about the connection, not about the answer.',
    BODY_LENGTH: 'Each side gives the length of its own body, which is right.',
    HEADER_ORDER: 'The order of these headers, or of their members, means nothing.',
    HEADER_FORM: 'The header is spelled another way.',
    IDENTITY:
        'Each JVM makes this value up, such as a session or an id. From then on both values count as the same, and a ' +
        'client that sends production’s has it replaced by the debug JVM’s.',
    EXCHANGE_TIME: 'Each value is a time within its own side’s exchange.',
    CONTENT_FORM: 'Blanks, escapes or an order that mean nothing in such a text.',
    SET_ORDER: 'The order of a set’s members, or of a map’s fields, means nothing.',
    NUMBER_FORM: 'It is the same number, written another way.',
    COMPRESSION: 'It is the same content, compressed to other bytes.',
    UNREAD: 'The content coding can not be read, so that nobody knows whether the contents differ.',
    RULE: 'A rule says to overlook it: one of the settings, or one that was accepted under Divergences.',
    LEARNED:
        'It has differed there from the beginning, in a way that means nothing, such as a counter or a random token.',
};

export function explainedNoise(noise) {
    return NOISE[noise] ?? '';
}
