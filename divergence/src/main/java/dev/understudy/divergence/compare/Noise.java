package dev.understudy.divergence.compare;

/** Why a difference is expected and doesn't matter. */
public enum Noise {
    /** The {@code Date} header; both values are valid dates. */
    DATE_HEADER,
    /** A header about this connection only (RFC 9110, section 7.6.1), or about how the body is framed. */
    CONNECTION_HEADER,
    /** {@code Content-Length}, where each side's value is the true length of its own body. */
    BODY_LENGTH,
    /** The order of headers, or of the members of a header whose order means nothing. */
    HEADER_ORDER,
    /** The spelling of a header: case of its name, blanks, quoting. */
    HEADER_FORM,
    /** A value that each JVM makes up for itself, in the same place. */
    IDENTITY,
    /** A time stamp that lies within each side's own exchange. */
    EXCHANGE_TIME,
    /**
     * Blanks, escapes, comments, prefixes or an order that mean nothing in a JSON or XML text or a form; a boundary.
     */
    CONTENT_FORM,
    /** The order of the members of a set, or of the fields of a map. */
    SET_ORDER,
    /** The same number, written differently. */
    NUMBER_FORM,
    /** The same content, compressed to other bytes. */
    COMPRESSION,
    /** Bodies in a content coding that can't be read: whether they differ in content isn't known. */
    UNREAD,
    /** A rule says to overlook it. */
    RULE,
    /** What differed there from the beginning was of a kind that means nothing, and still is. */
    LEARNED
}
