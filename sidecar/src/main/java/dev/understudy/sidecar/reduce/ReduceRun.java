package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.sidecar.label.ReplyCondition;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.replay.ReplayFilter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
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
    private static final int MOST_BODY_SHOWN = 2_000;

    private final Reduction reduction;
    private final Masking masking;

    private ReduceRun(Reduction reduction, Masking masking) {
        this.reduction = reduction;
        this.masking = masking;
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
            return new ReduceRun(reducer.reduce(recorded), masking);
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
        reduction.smallest().earlier().forEach(call -> lines.add("    first   " + line(call)));
        text(reduction.smallest().last()).lines().forEach(line -> lines.add(line.isEmpty() ? "" : "    " + line));
        if (!reduction.needs().isEmpty()) {
            lines.add("");
            lines.add("passes without any one of:");
            reduction.needs().forEach(need -> lines.add("    " + masking.within(need.part()) + "  -> " + need.reply()));
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
                reduction.smallest().earlier().stream().map(this::line).toList());
        json.put("request", text(reduction.smallest().last()));
        json.put(
                "needs",
                reduction.needs().stream()
                        .map(need -> Map.of(
                                "part", masking.within(need.part()),
                                "without", text(need.without().last()),
                                "reply", need.reply().toString()))
                        .toList());
        Map<String, Integer> cuts = new LinkedHashMap<>();
        reduction.cuts().forEach(cut -> cuts.put(cut.kind(), cut.count()));
        json.put("leftOut", cuts);
        return json;
    }

    private String line(HttpCall call) {
        return call.head().method() + " " + masking.target(call.head().target());
    }

    private String text(HttpCall call) {
        StringBuilder text =
                new StringBuilder(line(call)).append(' ').append(call.head().version());
        for (Header header : call.head().headers()) {
            text.append('\n').append(header.name()).append(": ").append(masking.header(header.name(), header.value()));
        }
        if (call.body().length > 0) {
            String body = new String(call.body(), StandardCharsets.UTF_8);
            String shown = body.length() > MOST_BODY_SHOWN ? body.substring(0, MOST_BODY_SHOWN) + " ..." : body;
            text.append("\n\n").append(masking.within(shown));
        }
        return text.toString();
    }
}
