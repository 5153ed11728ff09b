package dev.understudy.sidecar.resync;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.sidecar.inbound.LinkConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a debug JVM is brought back into production's state, and how.
 *
 * @param debug which one; "" for the only one, or the first
 * @param every how much later again; zero for never
 * @param onDivergence the share of differing replies, 0 to 1, from which on it is done: 0 at the first; {@link #NEVER}
 * @param onOverflow whether it is done once requests were lost because the window was full
 * @param pause the least time from one to the next, but for those that are asked for
 * @param hold whether requests that arrive meanwhile wait in the window; else they aren't copied
 * @param command run first, with its arguments; empty for none
 * @param container a Docker container that is restarted then; "" for none
 * @param webhook what is posted to then; "" for nothing
 * @param recording a recording that is played to the debug JVM as soon as it accepts connections; "" for none
 * @param timeout how long each of these may take
 */
public record ResyncConfig(
        String debug,
        Duration every,
        double onDivergence,
        boolean onOverflow,
        Duration pause,
        boolean hold,
        List<String> command,
        String container,
        String webhook,
        String recording,
        Duration timeout) {
    /** Instead of a share. */
    public static final double NEVER = -1;

    private static final Pattern PERCENT = Pattern.compile("(\\d{1,2}(?:\\.\\d{1,6})?)\\s*%");
    private static final Value<Double> SHARE =
            new Value<>("never, first, or a share such as 1%", ResyncConfig::share, 0.0);

    /** What becomes of requests that arrive meanwhile. */
    private enum Input {
        HOLD,
        DROP
    }

    public ResyncConfig {
        command = List.copyOf(command);
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("timeout: " + timeout.toMillis() + "ms (expected: > 0)");
        }
        boolean wanted = !every.isZero() || onDivergence != NEVER || onOverflow;
        if (wanted && command.isEmpty() && container.isEmpty() && webhook.isEmpty() && recording.isEmpty()) {
            throw new IllegalArgumentException("command: none (expected: at least one of command, container, webhook, "
                    + "recording, since there is something that asks for it)");
        }
    }

    /** Nothing is ever done. */
    public static ResyncConfig none() {
        return new ResyncConfig(
                "",
                Duration.ZERO,
                NEVER,
                false,
                Duration.ofSeconds(60),
                true,
                List.of(),
                "",
                "",
                "",
                Duration.ofMinutes(2));
    }

    /** Reads the section {@code resync}. */
    public static ResyncConfig read(Section section) {
        ResyncConfig none = none();
        Value<Duration> never = Value.durationOrNone();
        return new ResyncConfig(
                section.optional("debug", Value.anyText(), none.debug),
                section.optional("every", never, none.every),
                section.optional("on-divergence", SHARE, none.onDivergence),
                section.optional("on-overflow", Value.flag(), none.onOverflow),
                section.optional("pause", never, none.pause),
                section.optional("input", Value.choice(Input.class), Input.HOLD) == Input.HOLD,
                section.listed("command", Value.text()),
                section.optional("container", Value.anyText(), none.container),
                section.optional("webhook", Value.httpUrlOrEmpty(), none.webhook),
                section.optional("recording", Value.anyText(), none.recording),
                section.optional("timeout", Value.duration(), none.timeout));
    }

    /** Whether there is something that can be done. */
    public boolean isPossible() {
        return !command.isEmpty() || !container.isEmpty() || !webhook.isEmpty() || !recording.isEmpty();
    }

    /**
     * All that is done, in order.
     *
     * @param aggregator what answers this debug JVM's calls; its address is "" if nothing does
     * @param masking what isn't told of what went wrong
     */
    List<Step> steps(LinkConfig aggregator, Masking masking) {
        List<Step> steps = new ArrayList<>();
        if (!command.isEmpty()) {
            steps.add(new CommandStep(command));
        }
        if (!container.isEmpty()) {
            steps.add(new CommandStep(List.of("docker", "restart", container)));
        }
        if (!webhook.isEmpty()) {
            steps.add(new WebhookStep(webhook));
        }
        steps.add(new ReadyStep());
        if (!recording.isEmpty()) {
            steps.add(new ReplayStep(recording, masking));
        }
        if (!aggregator.url().isEmpty()) {
            steps.add(new ForgetStep(aggregator));
        }
        return steps;
    }

    private static double share(String raw) {
        Matcher percent = PERCENT.matcher(raw);
        if (percent.matches()) {
            return Double.parseDouble(percent.group(1)) / 100;
        }
        return switch (raw) {
            case "never" -> NEVER;
            case "first" -> 0;
            default -> throw new IllegalArgumentException(raw);
        };
    }
}
