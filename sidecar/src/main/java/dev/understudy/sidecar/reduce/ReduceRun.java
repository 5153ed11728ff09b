package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.sidecar.label.ReplyCondition;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.replay.ReplayFilter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

/** Reduces what a recording has to the smallest input that fails, and says so; credentials are masked in that. */
public final class ReduceRun {
    private final Reduction reduction;
    private final CallText texts;

    private ReduceRun(Reduction reduction, CallText texts) {
        this.reduction = reduction;
        this.texts = texts;
    }

    /**
     * Sends an exchange of a recording again and again. Blocks until it is over.
     *
     * @param fails all of which hold of a failing reply
     * @param patience how long each reply is waited for
     * @param attempts how many inputs are tried at most
     * @param limit after which no further one is tried
     * @param progress is told how many requests were sent, and how many bytes the smallest input has by then
     * @throws IOException if the file has no such exchange, or the copy can't be reached
     */
    public static ReduceRun of(
            Path file,
            Contents.Summary connection,
            ReplayFilter exchange,
            InetSocketAddress to,
            List<ReplyCondition> fails,
            Duration patience,
            int attempts,
            Duration limit,
            Masking masking,
            BiConsumer<Integer, Integer> progress)
            throws IOException, InterruptedException {
        HttpInput recorded = RecordedInput.read(file, connection, exchange);
        try (CopyCaller copy = new CopyCaller(to, patience)) {
            Reducer reducer = new Reducer(
                    copy::ask, reply -> ReplyCondition.all(fails, reply), attempts, limit, progress::accept);
            return new ReduceRun(reducer.reduce(recorded), new CallText(masking));
        }
    }

    /** Whether the input failed at all. */
    public boolean isReproduced() {
        return reduction.failed() > 0;
    }

    /** In sentences, a line each. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("sent again unchanged: failed %d of %d times, %s"
                .formatted(reduction.failed(), reduction.asked(), behaviour()));
        if (!isReproduced()) {
            return lines;
        }
        lines.add("");
        lines.add("smallest input that fails (%d of %d bytes; failed %d of %d times; %d requests sent%s):"
                .formatted(
                        reduction.smallest().size(),
                        reduction.recorded().size(),
                        reduction.confirmed(),
                        reduction.asked(),
                        reduction.requests(),
                        reduction.spent() ? "; stopped at the limit, so it may not be the smallest" : ""));
        reduction.smallest().earlier().forEach(call -> lines.add("    first   " + texts.line(call)));
        texts.text(reduction.smallest().last()).lines().forEach(line -> lines.add(line.isEmpty() ? "" : "    " + line));
        if (!reduction.needs().isEmpty()) {
            lines.add("");
            lines.add("passes without any one of:");
            reduction.needs().forEach(need -> lines.add("    " + texts.part(need.part()) + "  -> " + need.reply()));
        }
        if (!reduction.cuts().isEmpty()) {
            lines.add("");
            lines.add("left out: "
                    + String.join(
                            ", ",
                            reduction.cuts().stream()
                                    .map(cut -> cut.count() + " " + cut.kind())
                                    .toList()));
        }
        return lines;
    }

    private String behaviour() {
        return switch (reduction.behaviour()) {
            case STABLE -> "so the failure is stable (" + reduction.first() + ")";
            case FLAKY -> "so chance or the order of threads takes part (" + reduction.first() + ")";
            case GONE ->
                "answered " + reduction.first() + ": the failure needs a state or upstream replies that the copy"
                        + " doesn't have any longer, or --fails doesn't describe it";
        };
    }

    /** The same for programs; the keys stay as they are. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("behaviour", reduction.behaviour().name().toLowerCase(Locale.ROOT));
        json.put("asked", reduction.asked());
        json.put("failed", reduction.failed());
        json.put("reply", reduction.first().toString());
        json.put("requests", reduction.requests());
        json.put("limitReached", reduction.spent());
        json.put("recordedBytes", reduction.recorded().size());
        json.put("smallestBytes", reduction.smallest().size());
        json.put("confirmed", reduction.confirmed());
        json.put(
                "earlier",
                reduction.smallest().earlier().stream().map(texts::line).toList());
        json.put("request", texts.text(reduction.smallest().last()));
        json.put(
                "needs",
                reduction.needs().stream()
                        .map(need -> Map.of(
                                "part", texts.part(need.part()),
                                "without", texts.text(need.without().last()),
                                "reply", need.reply().toString()))
                        .toList());
        Map<String, Integer> cuts = new LinkedHashMap<>();
        reduction.cuts().forEach(cut -> cuts.put(cut.kind(), cut.count()));
        json.put("leftOut", cuts);
        return json;
    }
}
