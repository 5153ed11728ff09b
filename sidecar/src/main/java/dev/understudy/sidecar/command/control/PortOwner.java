package dev.understudy.sidecar.command.control;

import java.util.Locale;

/** Which program a control port belongs to. */
enum PortOwner {
    SIDECAR("UNDERSTUDY_CONTROL_"),
    AGGREGATOR("UNDERSTUDY_AGGREGATOR_");

    private final String prefix;

    PortOwner(String prefix) {
        this.prefix = prefix;
    }

    /** Its name in messages. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The environment variable that stands in for an option without a value, such as {@code CA}. */
    String variable(String option) {
        return prefix + option;
    }
}
