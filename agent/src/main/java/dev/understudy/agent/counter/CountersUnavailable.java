package dev.understudy.agent.counter;

/** There are no counters; the message says why. */
final class CountersUnavailable extends Exception {
    private static final long serialVersionUID = 1;

    CountersUnavailable(String why) {
        super(why);
    }
}
