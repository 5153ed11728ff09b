package dev.understudy.it.bench.thesis;

import dev.understudy.it.bench.load.Ask;
import dev.understudy.it.bench.load.HttpClient;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.subject.Backends;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Tables 3.2 to 3.4: HEADs, downloads while the debug copy's file grows, and a mix of pages; the ways take turns. */
public final class PageTables {
    private static final int MEGABYTE = 1_000_000;
    private static final List<String> WAYS = List.of("direct", "proxy", "duplication");

    private final Path folder;
    private final Path sidecar;
    private final Backends backends;
    private final int repeats;

    /** @param repeats how often each request is made in each way */
    public PageTables(Path folder, Path sidecar, Backends backends, int repeats) {
        this.folder = folder;
        this.sidecar = sidecar;
        this.backends = backends;
        this.repeats = repeats;
    }

    /** Adds the three tables. */
    public void measure(Table table) throws IOException {
        Path files = backends.files();
        Files.write(files.resolve("file"), new byte[MEGABYTE]);
        Files.write(files.resolve("article"), new byte[90_000]);
        Files.write(files.resolve("style"), new byte[30_000]);
        Files.write(files.resolve("search"), new byte[5_000]);
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put("direct", backends.web());
        try (Subject proxy = sidecar("proxy", 0);
                Subject duplication = sidecar("duplication", backends.debugWeb())) {
            ports.put("proxy", proxy.web());
            ports.put("duplication", duplication.web());
            heads(table, ports);
            downloads(table, ports);
            pages(table, ports);
        }
    }

    private Subject sidecar(String name, int debug) throws IOException {
        return Subject.sidecar(folder, sidecar, backends, name, debug, backends.dead(), "");
    }

    private void heads(Table table, Map<String, Integer> ports) throws IOException {
        Map<String, Double> seconds = medians(ports, Ask.head("/1k").closing(), repeats);
        table.line("### Table 3.2: HEAD requests, each on a connection of its own")
                .line("")
                .line("Medians of " + repeats + " each, in ms (there too, though its heading says µs).")
                .line("")
                .line("| | direct | proxy | duplication |")
                .line("| --- | --- | --- | --- |")
                .line(row("here", seconds, 1e3))
                .line("| thesis | 0.5 | 0.904 | 0.907 |")
                .line("");
    }

    private void downloads(Table table, Map<String, Integer> ports) throws IOException {
        table.line("### Table 3.3: a download of 1 MB while the debug copy's file grows")
                .line("")
                .line("Medians, in s; the thesis's in brackets. The last column is a "
                        + "download from the debug server itself.")
                .line("")
                .line("| file in debug | direct | proxy | duplication | debug |")
                .line("| --- | --- | --- | --- | --- |");
        String[] thesis = {
            "0.015 0.017 0.017 0.0165", "– – 0.0168 0.094", "– – 0.0174 0.898",
        };
        int[] megabytes = {1, 10, 100};
        for (int n = 0; n < megabytes.length; n++) {
            Path files = Files.createDirectories(folder.resolve("files-" + megabytes[n]));
            Files.write(files.resolve("file"), new byte[megabytes[n] * MEGABYTE]);
            int debug = backends.anotherWeb("debug-" + megabytes[n], files);
            try (Subject slow = sidecar("duplication-" + megabytes[n], debug)) {
                Map<String, Integer> ways = new LinkedHashMap<>(ports);
                ways.put("duplication", slow.web());
                Map<String, Double> seconds = medians(ways, Ask.get("/file"), repeats / 10);
                seconds.putAll(medians(Map.of("debug", debug), Ask.get("/file"), 10));
                String[] there = thesis[n].split(" ", -1);
                StringBuilder line = new StringBuilder("| " + megabytes[n] + " MB |");
                int column = 0;
                for (String way : List.of("direct", "proxy", "duplication", "debug")) {
                    line.append(String.format(
                            Locale.ROOT, " %.4f (%s) |", seconds.getOrDefault(way, Double.NaN), there[column++]));
                }
                table.line(line.toString());
            }
        }
        table.line("");
    }

    private void pages(Table table, Map<String, Integer> ports) throws IOException {
        table.line("### Table 3.4: a mix of pages")
                .line("")
                .line("nginx serves files of a wiki's sizes and takes a post; there is no "
                        + "wiki behind it, so that the proxy's share of the")
                .line("time is far larger than in the thesis, whose pages took 54 to 297 ms. Medians of " + repeats
                        + " each, in ms.")
                .line("")
                .line("| request | direct | proxy | duplication | proxy overhead | "
                        + "duplication overhead | thesis: proxy | thesis: duplication |")
                .line("| --- | --- | --- | --- | --- | --- | --- | --- |");
        Map<String, Ask> asks = new LinkedHashMap<>();
        asks.put("GET article, 90 kB", Ask.get("/article"));
        asks.put("GET style, 30 kB", Ask.get("/style"));
        asks.put("GET search, 5 kB", Ask.get("/search"));
        asks.put("POST edit, 8 kB", Ask.post("/post", 8000));
        String[] thesis = {"3.3 % | -0.2 %", "6.1 % | 1.6 %", "6.3 % | -2.0 %", "0.3 % | -0.02 %"};
        int n = 0;
        for (Map.Entry<String, Ask> ask : asks.entrySet()) {
            Map<String, Double> seconds = medians(ports, ask.getValue(), repeats);
            double direct = seconds.getOrDefault("direct", Double.NaN);
            double proxy = seconds.getOrDefault("proxy", Double.NaN);
            double duplication = seconds.getOrDefault("duplication", Double.NaN);
            table.line(String.format(
                    Locale.ROOT,
                    "| %s | %.3f | %.3f | %.3f | %.1f %% | %.1f %% | %s |",
                    ask.getKey(),
                    direct * 1e3,
                    proxy * 1e3,
                    duplication * 1e3,
                    (proxy / direct - 1) * 100,
                    (duplication / proxy - 1) * 100,
                    thesis[n++]));
        }
        table.line("");
    }

    private static String row(String name, Map<String, Double> seconds, double unit) {
        StringBuilder line = new StringBuilder("| " + name + " |");
        for (String way : WAYS) {
            line.append(String.format(Locale.ROOT, " %.3f |", seconds.getOrDefault(way, Double.NaN) * unit));
        }
        return line.toString();
    }

    /** The median seconds of each way; they take turns, and a tenth goes before to warm up. */
    private static Map<String, Double> medians(Map<String, Integer> ports, Ask ask, int repeats) throws IOException {
        Map<String, HttpClient> clients = new LinkedHashMap<>();
        Map<String, List<Double>> seconds = new LinkedHashMap<>();
        try {
            for (int n = -repeats / 10; n < repeats; n++) {
                for (Map.Entry<String, Integer> way : ports.entrySet()) {
                    long begun = System.nanoTime();
                    HttpClient client = clients.get(way.getKey());
                    if (client == null) {
                        client = new HttpClient(way.getValue(), ask);
                        clients.put(way.getKey(), client);
                    }
                    client.ask();
                    if (!ask.keepAlive()) {
                        client.close();
                        clients.remove(way.getKey());
                    }
                    if (n >= 0) {
                        seconds.computeIfAbsent(way.getKey(), none -> new ArrayList<>())
                                .add((System.nanoTime() - begun) / 1e9);
                    }
                }
            }
        } finally {
            for (HttpClient client : clients.values()) {
                client.close();
            }
        }
        Map<String, Double> middle = new LinkedHashMap<>();
        seconds.forEach((way, all) -> {
            double[] sorted = all.stream().mapToDouble(Double::doubleValue).toArray();
            Arrays.sort(sorted);
            middle.put(way, sorted[sorted.length / 2]);
        });
        return middle;
    }
}
