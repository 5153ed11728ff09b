package dev.understudy.aggregator.policy;

/** What a debug call gets for which nothing recorded fits. */
public enum Miss {
    /** An error in the protocol's own words. */
    FAIL,
    /** The last reply of its form once more, if it is a read; else an error. */
    REPEAT_LAST,
    /** The reply of a stub, if there is one for it; else an error. */
    STUB,
    /** The real upstream's reply, if the call is known to only read; else an error. */
    LIVE,
    /** The reply of a stand-in, which behaves like the upstream and is nobody's real service; else an error. */
    STANDIN
}
