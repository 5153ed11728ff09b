package dev.understudy.agent.flight;

import dev.understudy.agent.bootstrap.Flight;
import dev.understudy.agent.budget.Standing;
import dev.understudy.agent.weave.ProbeDirectory;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Lets flight recordings have the agent's events, in a JVM that can make such recordings. */
public final class FlightEvents {
    private FlightEvents() {}

    /**
     * Begins to note exchanges, sampled calls and what points tell while a recording runs.
     *
     * @param counters the names of what is counted by now
     * @return takes the budget's figures of a moment, ten times a second; one that does nothing in a JVM without a
     *     flight recorder
     */
    public static Consumer<Standing> open(ProbeDirectory directory, Supplier<List<String>> counters) {
        if (ModuleLayer.boot().findModule("jdk.jfr").isEmpty()) {
            return standing -> {};
        }
        JfrFlight flight = new JfrFlight(directory, counters);
        Flight.tell(flight);
        return flight::tick;
    }
}
