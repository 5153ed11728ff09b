package dev.understudy.session.target;

/** What the target does with a file, as far as it matters for a copy. */
public enum FileUse {
    /** It is open for writing, at any place. */
    WRITTEN,
    /** It is open for writing at its end. */
    APPENDED,
    /** It is mapped into memory, shared and writable. */
    MAPPED,
    /** It has no name any more. */
    DELETED
}
