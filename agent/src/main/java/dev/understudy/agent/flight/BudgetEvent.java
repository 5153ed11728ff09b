package dev.understudy.agent.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The budget's figures at one moment; ten a second. */
@Name("understudy.Budget")
@Label("Budget")
@Category("Understudy")
@Description("What the agent may spend, what it spends, and why")
@StackTrace(false)
final class BudgetEvent extends Event {
    @Label("Budget")
    @Description("The share of a core that the agent may use")
    double budget;

    @Label("Largest budget")
    double max;

    @Label("Spent")
    @Description("The share of a core that the agent uses, by measurement")
    double spent;

    @Label("Samples per second")
    @Description("How many calls all methods together may have sampled")
    double samplesPerSecond;

    @Label("Window utilisation")
    @Description("How full the sidecar's fullest buffer is; no number if the sidecar isn't heard")
    @Percentage
    double utilisation;

    @Label("Window lag")
    @Timespan(Timespan.MILLISECONDS)
    long lag;

    @Label("Why")
    String why = "";
}
