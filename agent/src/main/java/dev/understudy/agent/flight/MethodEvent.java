package dev.understudy.agent.flight;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A call of a woven method that was sampled. */
@Name("understudy.Method")
@Label("Sampled method")
@Category("Understudy")
@Description("A call of a method of the application that was sampled, as often as the budget allows")
@StackTrace(false)
final class MethodEvent extends Event {
    @Label("Method")
    String method = "";

    @Label("Trace")
    @Description("The 32 digits of the trace of the exchange that it was called for; none if that isn't traced")
    @Nullable
    String trace;

    @Label("CPU time")
    @Description("What it took of a core; none if that wasn't measured")
    @Timespan(Timespan.NANOSECONDS)
    long cpu = Long.MIN_VALUE;

    @Label("Allocated")
    @Description("How many bytes it allocated; below 0 if that wasn't measured")
    @DataAmount(DataAmount.BYTES)
    long allocated = -1;

    @Label("Counters")
    @Description("What the processor or the kernel counted meanwhile; none if that wasn't measured")
    @Nullable
    String counters;
}
