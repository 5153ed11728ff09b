package dev.understudy.observatory.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.observatory.bottleneck.BottleneckReport;
import dev.understudy.observatory.bottleneck.BottleneckRules;
import dev.understudy.observatory.bottleneck.BottleneckSearch;
import dev.understudy.observatory.event.ExchangeColumns;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrivateFile;
import dev.understudy.sidecar.command.control.SettingConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code understudy bottlenecks}: says when, where and for what requests queued for a moment. */
@Command(
        name = "bottlenecks",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        exitCodeOnExecutionException = Exit.WRONG,
        description = {
            "Finds when requests queued for a moment, in which tier, and for which resource.",
            "",
            "It reads recordings and samples after the fact, and lists what it finds with the most delay first.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:no bottleneck", "1:bottlenecks were found", "2:something couldn't be read, or doesn't fit"})
public final class BottlenecksCommand implements Callable<Integer> {
    @Option(
            names = "--tier",
            required = true,
            paramLabel = "NAME=SOURCE",
            converter = TierOption.Converter.class,
            description = "A tier, and a recording of what it was asked, or its journal's directory. Repeatable: "
                    + "first the tier that clients reach, each behind those that wait for it. The same name "
                    + "again adds another source.")
    private List<TierOption> tiers = new ArrayList<>();

    @Option(
            names = "--samples",
            paramLabel = "FOLDER",
            description = "A folder of understudy node, of the same time. Repeatable.")
    private List<Path> samples = new ArrayList<>();

    @Option(
            names = "--shift",
            paramLabel = "NAME=DURATION",
            description = "How much later a tier's clock should be, such as db=120ms.")
    private Map<String, String> shifts = new LinkedHashMap<>();

    @Option(
            names = "--window",
            defaultValue = "50ms",
            paramLabel = "DURATION",
            converter = SettingConverter.Time.class,
            description = "How long a window is (default: ${DEFAULT-VALUE}).")
    private Duration window = Duration.ofMillis(50);

    @Option(
            names = "--slow",
            defaultValue = "10",
            paramLabel = "FACTOR",
            description = "From how many medians of its route on a response time is very long "
                    + "(default: ${DEFAULT-VALUE}).")
    private double slow = 10;

    @Option(
            names = "--least",
            defaultValue = "20",
            paramLabel = "N",
            description = "How many exchanges a route needs for that (default: ${DEFAULT-VALUE}).")
    private int least = 20;

    @Option(
            names = "--most",
            defaultValue = "20",
            paramLabel = "N",
            description = "How many bottlenecks are shown (default: ${DEFAULT-VALUE}).")
    private int most = 20;

    @Option(
            names = "--most-exchanges",
            defaultValue = "20000000",
            paramLabel = "N",
            description = "How many exchanges of a tier are held in memory (default: ${DEFAULT-VALUE}).")
    private int mostExchanges = ExchangeColumns.MOST;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes what was found as JSON.")
    private @Nullable Path json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        BottleneckRules rules = rules();
        for (String name : shifts.keySet()) {
            if (tiers.stream().noneMatch(tier -> tier.tier().equals(name))) {
                throw wrong("--shift " + name + ": no such tier (expected: one of "
                        + tiers.stream().map(TierOption::tier).distinct().toList() + ")");
            }
        }
        try {
            BottleneckSources sources = new BottleneckSources(positive("--most-exchanges", mostExchanges));
            for (TierOption tier : tiers) {
                sources.tier(tier, shift(tier.tier()));
            }
            sources.check();
            for (Path folder : samples) {
                sources.samples(folder, samples.size() > 1 ? folder + ": " : "");
            }
            return report(sources, rules);
        } catch (IOException | IllegalArgumentException notToBeHad) {
            err.println("understudy bottlenecks: " + notToBeHad.getMessage());
            err.flush();
            return Exit.WRONG;
        }
    }

    private int report(BottleneckSources sources, BottleneckRules rules) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        List<ExchangeColumns> all = sources.tiers();
        BottleneckReport report = BottleneckSearch.in(all, sources.samples(), rules);
        List<Map<String, Object>> tierFields = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            ExchangeColumns tier = all.get(i);
            out.println(tier.tier() + ": " + tier.size() + " exchanges, "
                    + report.slow().get(i) + " of them very long");
            tierFields.add(BottleneckJson.fields(
                    "name", tier.tier(),
                    "exchanges", tier.size(),
                    "unsure", tier.unsure(),
                    "slow", report.slow().get(i)));
        }
        for (String note : sources.notes()) {
            out.println("note: " + note);
        }
        out.println(report.bottlenecks().size() + report.leftOut() + " bottlenecks; queues stood out " + report.peaks()
                + " times");
        out.println();
        new BottleneckText(report, sources.samples(), out).print();
        out.flush();
        if (json != null) {
            String text = new ObjectMapper()
                    .writerWithDefaultPrettyPrinter()
                    .writeValueAsString(BottleneckJson.of(report, tierFields, sources.notes()));
            PrivateFile.write(json, text + "\n");
        }
        return report.bottlenecks().isEmpty() ? Exit.FINE : Exit.ATTENTION;
    }

    private BottleneckRules rules() {
        try {
            BottleneckRules standard = BottleneckRules.standard();
            return standard.withWindow(window.toNanos() / 1000)
                    .withSlow(slow, least, standard.leastDelayMicros())
                    .withMost(most);
        } catch (IllegalArgumentException wrong) {
            throw wrong(String.valueOf(wrong.getMessage()));
        }
    }

    private Duration shift(String tier) {
        String shift = shifts.get(tier);
        if (shift == null) {
            return Duration.ZERO;
        }
        boolean back = shift.startsWith("-");
        try {
            Duration forward = new SettingConverter.Time().convert(back ? shift.substring(1) : shift);
            return back ? forward.negated() : forward;
        } catch (TypeConversionException wrong) {
            throw wrong("--shift " + tier + ": " + wrong.getMessage());
        }
    }

    private int positive(String option, int value) {
        if (value < 1) {
            throw wrong(option + ": " + value + " (expected: > 0)");
        }
        return value;
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
