package dev.understudy.session.target;

/** Whether connections are encrypted, as far as that shows without opening one. */
public enum TlsUse {
    /** They are, by a port, a URL or a parameter that shows it. */
    YES,
    /** They aren't, by a URL or a parameter that shows it, or by a server's reply. */
    NO,
    /** Nothing shows it. */
    UNKNOWN
}
