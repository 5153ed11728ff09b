package dev.understudy.agent.budget;

import org.jspecify.annotations.Nullable;

/** The budget's figures of one moment. Immutable. */
public final class Standing {
    private final double budget;
    private final double max;
    private final double spent;
    private final double price;
    private final double samplesPerSecond;
    private final @Nullable WindowReading window;
    private final String why;
    private final int closedGates;

    Standing(
            Controller controller,
            double spent,
            double price,
            double samplesPerSecond,
            int closedGates,
            boolean tooDear) {
        this.budget = controller.budget();
        this.max = controller.max();
        this.window = controller.last();
        this.why = tooDear ? "counting and exporting alone cost the budget" : controller.why();
        this.closedGates = closedGates;
        this.spent = spent;
        this.price = price;
        this.samplesPerSecond = samplesPerSecond;
    }

    /** The share of a core that probes may use. */
    public double budget() {
        return budget;
    }

    /** The largest share. */
    public double max() {
        return max;
    }

    /** The share of a core that counting, sampling and the agent's own threads use by measurement. */
    public double spent() {
        return spent;
    }

    /** The price ν of the last division; 0 when the budget sufficed for everything. */
    public double price() {
        return price;
    }

    /** How many samples a second all probes together were given. */
    public double samplesPerSecond() {
        return samplesPerSecond;
    }

    /** The last reading of the window, or null while the sidecar isn't heard. */
    public @Nullable WindowReading window() {
        return window;
    }

    /** How many classes are closed because counting their calls alone costs too much. */
    public int closedGates() {
        return closedGates;
    }

    /** Why the budget is what it is, in a few words. */
    public String why() {
        return why;
    }
}
