package dev.understudy.session.command;

import dev.understudy.session.renewal.RenewalPlan;
import dev.understudy.session.target.TargetException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options that say when a fresh copy is made, as a mixin of a command. */
final class RenewalOptions {
    @Option(
            names = "--renew-every",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "Makes a fresh copy in place of the one that runs, at that interval. Without it, only when"
                    + " something else asks for it, such as understudy resync.")
    private Duration every = Duration.ZERO;

    @Option(
            names = "--renew-on-divergence",
            paramLabel = "SHARE",
            defaultValue = "never",
            description = "The same once that share of at least 100 replies differs, such as 1%%, or at the first one"
                    + " (first) (default: ${DEFAULT-VALUE}).")
    private String onDivergence = "never";

    @Option(
            names = "--renew-on-overflow",
            description = "The same once requests were lost because the window was full.")
    private boolean onOverflow;

    @Option(
            names = "--renew-pause",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = TimeConverter.class,
            description = "The least time from one copy to the next, whoever asks for one: production stands still for"
                    + " each that has its memory (default: ${DEFAULT-VALUE}).")
    private Duration pause = Duration.ofSeconds(60);

    /**
     * What they say.
     *
     * @throws TargetException if one of them is wrong
     */
    RenewalPlan plan() throws TargetException {
        try {
            return new RenewalPlan(every, onDivergence, onOverflow, pause);
        } catch (IllegalArgumentException wrong) {
            throw new TargetException(String.valueOf(wrong.getMessage()));
        }
    }
}
