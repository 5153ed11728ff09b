package dev.understudy.it.console;

import com.microsoft.playwright.Page;
import dev.understudy.it.bench.load.Ask;
import dev.understudy.it.bench.load.SteadyHttp;
import dev.understudy.it.bench.process.CpuTimes;
import dev.understudy.it.bench.subject.Subject;
import dev.understudy.it.stage.BrowserPage;
import dev.understudy.it.stage.ConsoleStage;
import dev.understudy.it.stage.NeedsPrograms;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How fast the console is with many exchanges kept and many more arriving, and what it costs the lane process. Run by
 * hand on a quiet machine: {@code -Dunderstudy.measure=console}. It prints its figures, and holds none.
 */
@EnabledIfSystemProperty(named = "understudy.measure", matches = "console")
@NeedsPrograms("chromium")
class ConsolePaceIT {
    private static final int KEPT = Integer.getInteger("understudy.kept", 100_000);
    private static final int PER_SECOND = Integer.getInteger("understudy.perSecond", 2_000);
    private static final int SECONDS = 10;
    private static final int LOOKS = 15;
    private static final int TURNS = 4;
    /** Of a thread's name the kernel keeps 15 bytes. */
    private static final String CONTROL = "understudy-cont";

    private static final String FIRST_ROW = "new MutationObserver((changes, observer) => {"
            + " if (document.querySelector('a.cells')) { window.firstRow = performance.now(); observer.disconnect(); }"
            + " }).observe(document, { childList: true, subtree: true });";
    /** When the page, its last module and the list had come, and when the first row stood there. */
    private static final String PHASES = "(() => { const ended = part => Math.max(0, ...performance.getEntries()"
            + ".filter(entry => entry.name.includes(part)).map(entry => entry.responseEnd));"
            + " return [performance.getEntriesByType('navigation')[0].responseEnd, ended('.js'),"
            + " ended('/v1/exchanges'), window.firstRow].map(Math.round).join(' '); })()";

    private static final String FRAMES = "new Promise(done => { let frames = 0; const begun = performance.now();"
            + " const frame = () => { frames++; const took = performance.now() - begun;"
            + " took < 5000 ? requestAnimationFrame(frame) : done(1000 * frames / took); };"
            + " requestAnimationFrame(frame); })";

    @TempDir
    Path folder;

    @Test
    void pace_isMeasured() throws Exception {
        double begun = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        try (ConsoleStage stage = ConsoleStage.open(folder)) {
            preferBrowser();
            Subject subject = new Subject("console", stage.tee().port(), 0, List.of(), "");
            while (newest(stage) < KEPT) {
                new SteadyHttp("fill", Ask.get("/health/1"), 16, 2 * PER_SECOND, 5).measure(subject);
            }
            awaitRest(stage);
            List<String> table = new ArrayList<>();
            table.add("| | measured | target |\n| --- | --- | --- |");
            table.add(row("load average of the machine at the beginning", "%.1f", begun, "–"));
            table.add(row("exchanges kept", "%d", Math.min(KEPT, newest(stage)), "100,000"));
            firstView(stage, table);
            try (Streams streams = new Streams(stage, 16)) {
                table.add(row(
                        streams.open.size() + " open streams, nothing arrives",
                        "%.1f %% of a core",
                        Used.over(stage).control(),
                        "bounded"));
            }
            try (BrowserPage page = stage.signedIn(stage.chromium().light())) {
                page.page().waitForSelector(".picture");
                table.add(row(
                        "transferred for all views",
                        "%d KB",
                        ConsoleChecks.transferred(page.page()) / 1_000,
                        "≤ 300 KB"));
                table.add(row(
                        "one console, nothing arrives",
                        "%.1f %% of a core",
                        Used.over(stage).control(),
                        "≤ 3 %"));
            }
            CompletableFuture<Void> load = CompletableFuture.runAsync(() -> load(subject, 13 * SECONDS));
            follow(stage, table);
            load.join();
            System.out.println(String.join("\n", table));
        }
    }

    /**
     * With a list that follows and without one, in turn, under the same load. What a console costs is what the port's
     * own thread uses more: it reads, writes and sends all that a page asks for, and no other thread works for pages.
     */
    private static void follow(ConsoleStage stage, List<String> table) throws Exception {
        List<Used> without = new ArrayList<>();
        List<Used> with = new ArrayList<>();
        List<Double> frames = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
            without.add(Used.over(stage));
            try (BrowserPage page = stage.signedIn(stage.chromium().light())) {
                page.open(stage.tee().control() + "/#/exchanges");
                page.page().waitForSelector("a.cells");
                frames.add(((Number) page.page().evaluate(FRAMES)).doubleValue());
                with.add(Used.over(stage));
            }
        }
        each(table, "frames a second, list that follows", frames.stream(), "≥ 30");
        each(table, "exchanges a second meanwhile", with.stream().map(Used::exchanges), "2,000");
        each(table, "exchanges a second without a console", without.stream().map(Used::exchanges), "–");
        each(
                table,
                "the port's thread with a console, % of a core",
                with.stream().map(Used::control),
                "≤ 3 more");
        each(table, "the port's thread without, % of a core", without.stream().map(Used::control), "–");
        each(
                table,
                "the lane process with a console, % of a core",
                with.stream().map(Used::process),
                "–");
        each(table, "the lane process without, % of a core", without.stream().map(Used::process), "–");
    }

    private static void each(List<String> table, String what, Stream<Double> figures, String target) {
        table.add(row(
                what,
                "%s",
                figures.map(figure -> String.format(Locale.ROOT, "%.1f", figure))
                        .collect(Collectors.joining(", ")),
                target));
    }

    private static String row(String what, String format, Object figure, String target) {
        return String.format(Locale.ROOT, "| %s | " + format + " | %s |", what, figure, target);
    }

    /** As if it ran elsewhere, on the computer of whoever looks: all else leaves it its processor time. */
    private static void preferBrowser() throws Exception {
        List<ProcessHandle> browser = ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().command().orElse("").contains("chrom"))
                .toList();
        int preferred = 0;
        for (ProcessHandle process : browser) {
            String pid = Long.toString(process.pid());
            // one may have ended meanwhile
            preferred +=
                    new ProcessBuilder("renice", "-n", "-10", "-p", pid).start().waitFor() == 0 ? 1 : 0;
        }
        assertThat(preferred).isPositive();
    }

    /** The streams that so many consoles follow, without their pages, which would need the machine for themselves. */
    private static final class Streams implements AutoCloseable {
        private final List<InputStream> open = new ArrayList<>();
        private final ExecutorService readers = Executors.newCachedThreadPool();

        Streams(ConsoleStage stage, int count) throws Exception {
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest request = HttpRequest.newBuilder(URI.create(stage.tee().control() + "/v1/console/now"))
                    .header("Authorization", "Bearer " + ConsoleStage.TOKEN)
                    .build();
            for (int n = 0; n < count; n++) {
                HttpResponse<InputStream> reply = client.send(request, BodyHandlers.ofInputStream());
                assertThat(reply.statusCode()).isEqualTo(200);
                open.add(reply.body());
                readers.execute(() -> drain(reply.body()));
            }
        }

        private static void drain(InputStream stream) {
            try {
                stream.transferTo(OutputStream.nullOutputStream());
            } catch (IOException closed) {
                // that is its end
            }
        }

        @Override
        public void close() throws IOException {
            for (InputStream stream : open) {
                stream.close();
            }
            readers.shutdownNow();
        }
    }

    private static void load(Subject subject, int seconds) {
        try {
            new SteadyHttp("load", Ask.get("/health/1"), 8, PER_SECOND, seconds).measure(subject);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** From the navigation to the first row, each in a browser that has nothing yet. */
    private static void firstView(ConsoleStage stage, List<String> table) throws Exception {
        List<double[]> looks = new ArrayList<>();
        for (int look = 0; look < LOOKS; look++) {
            try (BrowserPage page = stage.signedIn(stage.chromium().light())) {
                page.page().addInitScript(FIRST_ROW);
                page.open("about:blank");
                page.open(stage.tee().control() + "/#/exchanges");
                page.page().waitForSelector("a.cells", new Page.WaitForSelectorOptions().setTimeout(60_000));
                String phases = (String) page.page().evaluate(PHASES);
                looks.add(Stream.of(phases.split(" ", -1))
                        .mapToDouble(Double::parseDouble)
                        .toArray());
            }
        }
        List<String> names = List.of("page", "last module", "list", "first row");
        for (int phase = 0; phase < names.size(); phase++) {
            int which = phase;
            double median = looks.stream()
                    .mapToDouble(look -> look[which])
                    .sorted()
                    .skip(LOOKS / 2)
                    .findFirst()
                    .orElseThrow();
            table.add(row(
                    "first view: the " + names.get(phase) + " is there, median of " + LOOKS,
                    "%.0f ms",
                    median,
                    phase == names.size() - 1 ? "≤ 300 ms" : "–"));
        }
    }

    /**
     * What the lane process used over some seconds.
     *
     * @param control that of the control port's thread, in per cent of a core
     * @param process that of all its threads, likewise
     * @param exchanges judged a second
     */
    private record Used(double control, double process, double exchanges) {
        static Used over(ConsoleStage stage) throws Exception {
            List<ProcessHandle> lanes = stage.tee()
                    .sidecar()
                    .process()
                    .descendants()
                    .filter(process -> process.info().commandLine().orElse("").contains(" lanes"))
                    .toList();
            long first = newest(stage);
            CpuTimes before = CpuTimes.of(lanes);
            long begun = System.nanoTime();
            TimeUnit.SECONDS.sleep(SECONDS);
            CpuTimes after = CpuTimes.of(lanes);
            double nanos = System.nanoTime() - begun;
            return new Used(
                    100 * after.since(before, CONTROL) / nanos,
                    100 * after.since(before, "") / nanos,
                    1e9 * (newest(stage) - first) / nanos);
        }
    }

    /** Until all that was sent has been compared. */
    private static void awaitRest(ConsoleStage stage) throws Exception {
        long before;
        do {
            before = newest(stage);
            TimeUnit.SECONDS.sleep(3);
        } while (newest(stage) > before);
    }

    private static long newest(ConsoleStage stage) throws Exception {
        String body = stage.control("/v1/exchanges?limit=1", null).body();
        return Long.parseLong(body.replaceFirst("(?s).*\"newest\":(\\d+).*", "$1"));
    }
}
