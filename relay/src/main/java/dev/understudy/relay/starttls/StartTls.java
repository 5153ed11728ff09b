package dev.understudy.relay.starttls;

/** How the two ends of a connection come to speak TLS. */
public enum StartTls {
    /** From the first byte on. */
    FIRST_BYTE,
    /**
     * The client asks first, in PostgreSQL's words, and goes on in plain text if it isn't given TLS (protocol manual,
     * "SSL Session Encryption"); or it begins with it.
     */
    POSTGRES,
    /**
     * The server greets, and the client asks behind that, in MySQL's words, or goes on in plain text (client/server
     * protocol, "Connection Phase").
     */
    MYSQL
}
