package dev.understudy.agent.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** What a log point, a snapshot or a watch told. */
@Name("understudy.Point")
@Label("Log point or snapshot")
@Category("Understudy")
@Description("A place that an operator's order names was passed, and its condition held")
@StackTrace(false)
final class PointEvent extends Event {
    @Label("Point")
    @Description("The name by which it is taken back")
    String point = "";

    @Label("Place")
    String place = "";

    @Label("Told")
    @Description("The message of a log point; of a snapshot and a watch the values")
    String told = "";

    @Label("Trace")
    @Description("The 32 digits of the trace of the exchange that it was passed in; none if that isn't traced")
    @Nullable
    String trace;
}
