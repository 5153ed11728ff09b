package dev.understudy.it.bench.report;

import dev.understudy.it.bench.load.Sample;
import dev.understudy.it.bench.load.Workload;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What a ratio must not exceed.
 *
 * @param value of each sample; the ratio is the middle one of those within the rounds
 */
public record Target(
        String what, Workload workload, String subject, String peer, ToDoubleFunction<Sample> value, double limit) {
    /** A row of a table: what, limit, measured, verdict. */
    public String row(Results results) {
        double measured = results.ratio(workload, subject, peer, value);
        return String.format(
                Locale.ROOT,
                "| %s, %s: %s against %s | %.2fx | %.2fx | %s |",
                what,
                workload.name(),
                subject,
                peer,
                limit,
                measured,
                measured <= limit ? "met" : "**missed**");
    }
}
