package dev.understudy.agent.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** How often a woven method was called of late; every five seconds, of those that were called most. */
@Name("understudy.Calls")
@Label("Calls of a method")
@Category("Understudy")
@Description(
        "How often a method of the application was called in the last five seconds, of those that were called most")
@StackTrace(false)
final class CallsEvent extends Event {
    @Label("Method")
    String method = "";

    @Label("Calls")
    @Description("While its class's gate was open")
    int calls;

    @Label("Sampled")
    @Description("Of how many the time was taken")
    int sampled;

    @Label("Time of those sampled")
    @Timespan(Timespan.NANOSECONDS)
    long time;
}
