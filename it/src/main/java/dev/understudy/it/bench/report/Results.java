package dev.understudy.it.bench.report;

import dev.understudy.it.bench.load.Sample;
import dev.understudy.it.bench.load.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The samples of one group of subjects that are compared with one of them, round by round. */
public final class Results {
    private final Map<Workload, Map<String, List<Sample>>> samples = new LinkedHashMap<>();

    public void add(Workload workload, String subject, Sample sample) {
        samples.computeIfAbsent(workload, none -> new LinkedHashMap<>())
                .computeIfAbsent(subject, none -> new ArrayList<>())
                .add(sample);
    }

    /** The middle value over all rounds. */
    public double median(Workload workload, String subject, ToDoubleFunction<Sample> value) {
        return middle(of(workload, subject).stream().mapToDouble(value).sorted().toArray());
    }

    /** The middle of the ratios to {@code peer}, each within one round. */
    public double ratio(Workload workload, String subject, String peer, ToDoubleFunction<Sample> value) {
        List<Sample> own = of(workload, subject);
        List<Sample> others = of(workload, peer);
        double[] ratios = new double[Math.min(own.size(), others.size())];
        for (int round = 0; round < ratios.length; round++) {
            ratios[round] = value.applyAsDouble(own.get(round)) / value.applyAsDouble(others.get(round));
        }
        Arrays.sort(ratios);
        return middle(ratios);
    }

    public long failed(Workload workload, String subject) {
        return of(workload, subject).stream().mapToLong(Sample::failed).sum();
    }

    private List<Sample> of(Workload workload, String subject) {
        return samples.getOrDefault(workload, Map.of()).getOrDefault(subject, List.of());
    }

    private static double middle(double[] sorted) {
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
