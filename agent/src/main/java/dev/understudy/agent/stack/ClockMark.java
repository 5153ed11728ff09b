package dev.understudy.agent.stack;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * What {@link System#nanoTime()} was at the event's time, by which a recording's times are told in it. Only in
 * recordings of ours.
 */
@Name(ClockMark.NAME)
@Label("Clock")
@Category("Understudy")
@Description("What System.nanoTime() was at this time")
@StackTrace(false)
@Enabled(false)
final class ClockMark extends Event {
    static final String NAME = "understudy.Clock";

    private static final long NARROW_NANOS = 5_000;
    private static final int TRIES = 10;

    @Label("Nanoseconds")
    long nanos;

    /** Makes one, as exactly as a few tries allow: a thread may be stopped between the two clocks. */
    static void commitOne() {
        for (int tried = 1; ; tried++) {
            ClockMark mark = new ClockMark();
            long before = System.nanoTime();
            mark.begin();
            long width = System.nanoTime() - before;
            if (width <= NARROW_NANOS || tried == TRIES) {
                mark.nanos = before + width / 2;
                mark.commit();
                return;
            }
        }
    }
}
