package dev.understudy.it.bench.report;

import dev.understudy.it.bench.load.Sample;
import dev.understudy.it.bench.load.Workload;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Writes results as Markdown. */
public final class Table {
    private final StringBuilder text = new StringBuilder();

    public Table line(String line) {
        text.append(line).append('\n');
        return this;
    }

    /** What each subject costs, beside {@code peer}. */
    public Table compare(Results results, List<Workload> workloads, List<String> subjects, String peer) {
        return compare(results, workloads, subjects, peer, subject -> peer);
    }

    /** What each subject costs, each beside one of them, which {@code peers} names together. */
    public Table compare(
            Results results,
            List<Workload> workloads,
            List<String> subjects,
            String peers,
            UnaryOperator<String> peer) {
        line("| workload | through | CPU | relay threads' CPU | against " + peers + " | relay threads against " + peers
                + " | throughput | p50 | p99 | p99.9 | failed |");
        line("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (Workload workload : workloads) {
            for (String subject : subjects) {
                row(results, workload, subject, peer.apply(subject));
            }
        }
        return line("");
    }

    /** Which targets were met. */
    public Table targets(Results results, List<Target> targets) {
        line("| target | at most | measured | |").line("| --- | --- | --- | --- |");
        targets.forEach(target -> line(target.row(results)));
        return line("");
    }

    private void row(Results results, Workload workload, String subject, String peer) {
        line("| %s | %s | %s | %s | %s | %s | %s/s | %s | %s | %s | %d |"
                .formatted(
                        workload.name(),
                        subject,
                        micros(results.median(workload, subject, Sample::cpuPerOperation), workload),
                        micros(results.median(workload, subject, Sample::relayPerOperation), workload),
                        ratio(results.ratio(workload, subject, peer, Sample::cpuPerOperation)),
                        ratio(results.ratio(workload, subject, peer, Sample::relayPerOperation)),
                        number(results.median(workload, subject, Sample::perSecond)),
                        latency(results, workload, subject, 50),
                        latency(results, workload, subject, 99),
                        latency(results, workload, subject, 99.9),
                        results.failed(workload, subject)));
    }

    private static String latency(Results results, Workload workload, String subject, double percentile) {
        double micros = results.median(workload, subject, sample -> sample.latencyMicros(percentile));
        return Double.isNaN(micros) ? "" : number(micros) + " µs";
    }

    private static String micros(double nanos, Workload workload) {
        return Double.isNaN(nanos) || nanos == 0
                ? "–"
                : String.format(Locale.ROOT, "%.2f µs/%s", nanos / 1000, workload.unit());
    }

    private static String ratio(double ratio) {
        return !Double.isFinite(ratio) || ratio == 0 ? "–" : String.format(Locale.ROOT, "%.2fx", ratio);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%,.0f", value);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
