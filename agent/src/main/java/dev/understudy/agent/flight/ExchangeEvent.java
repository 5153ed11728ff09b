package dev.understudy.agent.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** An inbound exchange, while a thread served it. */
@Name("understudy.Exchange")
@Label("Exchange")
@Category("Understudy")
@Description("An inbound exchange, while this thread served it")
@StackTrace(false)
final class ExchangeEvent extends Event {
    @Label("Trace")
    @Description("The trace's 32 digits; none if the exchange isn't traced")
    @Nullable
    String trace;

    @Label("Debug span")
    @Description("The 16 digits of the span that the sidecar knows the exchange by; empty if it isn't traced")
    String span = "";

    @Label("Port")
    @Description("The port of the connection's peer; 0 if it isn't known")
    int port;

    @Label("From byte")
    @Description("How many bytes of its connection came before it")
    long from;
}
