package dev.understudy.it.bench;

import dev.understudy.it.bench.process.Namespaces;
import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.subject.Nginx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What the tee takes from a 1 Gb/s link, and adds to a HEAD: client, server with the sidecar, and debug are hosts of
 * their own.
 */
@Command(
        name = "link",
        mixinStandardHelpOptions = true,
        description = "Bandwidth and HEAD latency over a link of 1 Gb/s (needs root).")
final class LinkStudy implements Callable<Integer> {
    private static final String RATE = "1gbit";
    private static final int PORT = 8080;
    private static final int PROXY = 8081;
    private static final int TEE = 8082;
    private static final int BULK_BYTES = 64 << 20;
    private static final List<String> WAYS = List.of("direct", "proxy", "duplication");

    @Mixin
    private Stage stage = new Stage();

    @Option(names = "--rounds", defaultValue = "10", description = "Downloads in each way (default: 10).")
    private int rounds = 10;

    @Option(names = "--heads", defaultValue = "2000", description = "HEADs in each way (default: 2000).")
    private int heads = 2000;

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        List<Tool> open = new ArrayList<>();
        try (Namespaces hosts = Namespaces.open(List.of("client", "server", "debug"), RATE)) {
            Path files = Files.createDirectories(folder.resolve("files"));
            Files.write(files.resolve("bulk"), new byte[BULK_BYTES]);
            Files.write(files.resolve("1k"), new byte[1024]);
            open.add(nginx(folder, files, hosts, "server"));
            open.add(nginx(folder, files, hosts, "debug"));
            open.add(sidecar(folder, hosts));
            stage.put("A link of 1 Gb/s", measure(hosts));
            return 0;
        } finally {
            open.forEach(Tool::close);
            Stage.remove(folder);
        }
    }

    private String measure(Namespaces hosts) throws IOException, InterruptedException {
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put("direct", PORT);
        ports.put("proxy", PROXY);
        ports.put("duplication", TEE);
        Map<String, double[]> megabits = new LinkedHashMap<>();
        Map<String, double[]> micros = new LinkedHashMap<>();
        for (int round = -1; round < rounds; round++) {
            for (Map.Entry<String, Integer> way : ports.entrySet()) {
                Stage.progress("link: round %d of %d, %s".formatted(round + 1, rounds, way.getKey()));
                String url = "http://" + Namespaces.address(2) + ":" + way.getValue();
                double rate = curl(hosts, "%{speed_download}", url + "/bulk", 1)[0] * 8 / 1e6;
                double[] all = curl(hosts, "%{time_starttransfer}\\n", url + "/1k", Math.max(1, heads / rounds));
                Arrays.sort(all);
                if (round >= 0) {
                    megabits.computeIfAbsent(way.getKey(), none -> new double[rounds])[round] = rate;
                    micros.computeIfAbsent(way.getKey(), none -> new double[rounds])[round] = all[all.length / 2] * 1e6;
                }
            }
        }
        return table(hosts, median(megabits), median(micros));
    }

    private String table(Namespaces hosts, double[] megabits, double[] micros) {
        String limit = hosts.limitedBy().isEmpty()
                ? "The kernel has neither tbf nor htb: the links are NOT limited."
                : "Each host's cable is limited to 1 Gb/s both ways by `tc` " + hosts.limitedBy() + ".";
        double lost = (1 - megabits[2] / megabits[1]) * 100;
        double added = micros[2] - micros[1];
        return new Table()
                .line("Client, server and debug are network namespaces around a bridge; "
                        + "the sidecar runs beside the server, as in the")
                .line("thesis. " + limit + " Medians of " + rounds + " downloads of 64 MiB and " + rounds
                        + " medians of " + Math.max(1, heads / rounds) + " HEADs on one connection, by curl.")
                .line("")
                .line("| | direct | proxy | duplication | by the tee | target | |")
                .line("| --- | --- | --- | --- | --- | --- | --- |")
                .line(String.format(
                        Locale.ROOT,
                        "| bandwidth, Mb/s | %.1f | %.1f | %.1f | %.2f %% lost | < 0.5 %% | %s |",
                        megabits[0],
                        megabits[1],
                        megabits[2],
                        lost,
                        lost < 0.5 ? "met" : "**missed**"))
                .line("| thesis | 941 | 941 | 938 | 0.3 % lost | | |")
                .line(String.format(
                        Locale.ROOT,
                        "| HEAD, µs | %.0f | %.0f | %.0f | %.1f µs added | < 1 µs | %s |",
                        micros[0],
                        micros[1],
                        micros[2],
                        added,
                        added < 1 ? "met" : "**missed**"))
                .line("| thesis, in its unit | 0.5 | 0.904 | 0.907 | 0.003 added | | |")
                .toString();
    }

    /** What curl writes for each of {@code times} requests on one connection, as numbers. */
    private static double[] curl(Namespaces hosts, String format, String url, int times)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(hosts.on("client"));
        command.addAll(List.of("curl", "-s", "--fail", "-o", "/dev/null", "-w", format));
        if (times > 1) {
            // curl expands the range and keeps the connection; the server ignores what follows the question mark
            command.addAll(List.of("--head", url + "?[1-" + times + "]"));
        } else {
            command.add(url);
        }
        return Shell.run(command)
                .strip()
                .lines()
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static double[] median(Map<String, double[]> values) {
        return WAYS.stream()
                .mapToDouble(way -> {
                    double[] sorted = values.getOrDefault(way, new double[1]).clone();
                    Arrays.sort(sorted);
                    return sorted[sorted.length / 2];
                })
                .toArray();
    }

    private static Tool nginx(Path folder, Path files, Namespaces hosts, String host) throws IOException {
        String server = "server { listen %d; root %s; }".formatted(PORT, files);
        return Nginx.http(folder.resolve(host), hosts.on(host), server);
    }

    private Tool sidecar(Path folder, Namespaces hosts) throws IOException {
        Path home = Files.createDirectories(folder.resolve("sidecar"));
        Files.writeString(home.resolve("sidecar.yaml"), """
                listeners:
                  - { name: proxy, listen: "0.0.0.0:%1$d", production: "127.0.0.1:%2$d", protocol: http }
                  - { name: tee, listen: "0.0.0.0:%3$d", production: "127.0.0.1:%2$d", protocol: http, debug: \
                "%4$s:%2$d" }
                control: { listen: "127.0.0.1:0", anonymous: admin }
                window: { lane-memory: 128MiB, memory: 512MiB }
                """.formatted(PROXY, PORT, TEE, Namespaces.address(3)));
        List<String> command = new ArrayList<>(hosts.on("server"));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                stage.sidecar().toString(),
                "sidecar",
                "--config",
                "sidecar.yaml"));
        Tool sidecar = Tool.start(home, command);
        sidecar.awaitOutput("ready:");
        return sidecar;
    }
}
