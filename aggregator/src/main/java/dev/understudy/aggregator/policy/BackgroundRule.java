package dev.understudy.aggregator.policy;

import dev.understudy.aggregator.exchange.Form;

/**
 * Calls that either JVM makes by itself: health checks, exporters, schedulers.
 *
 * @param any whether each gets the last reply that any of them got, instead of the last one of its very form
 */
public record BackgroundRule(FormPattern form, boolean any) {

    /** Which calls get each other's last reply. */
    Form key(Form call) {
        return any ? Form.of("background", form.toString()) : call;
    }
}
