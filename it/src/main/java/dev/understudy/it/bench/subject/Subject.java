package dev.understudy.it.bench.subject;

import dev.understudy.it.bench.process.CpuTimes;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Memory;
import dev.understudy.it.bench.process.Tool;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One way from a client to production: the web server's port, Redis's port, and the processes in between.
 *
 * @param relayThreads prefix of the threads that serve production
 */
public record Subject(String name, int web, int redis, List<Tool> between, String relayThreads)
        implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("web=127\\.0\\.0\\.1:(\\d+) redis=127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern WEB = Pattern.compile("web=127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern CONTROL = Pattern.compile("control=(\\S+)");

    public static Subject direct(Backends backends) {
        return new Subject("direct", backends.web(), backends.redis(), List.of(), "");
    }

    public static Subject haproxy(Path folder, Backends backends) throws IOException {
        int web = FreePorts.next();
        int redis = FreePorts.next();
        Path home = Files.createDirectories(folder.resolve("haproxy"));
        Files.writeString(home.resolve("haproxy.cfg"), """
                global
                    nbthread 1
                    maxconn 4000
                defaults
                    mode tcp
                    timeout connect 10s
                    timeout client 1h
                    timeout server 1h
                listen web
                    bind 127.0.0.1:%d
                    server production 127.0.0.1:%d
                listen redis
                    bind 127.0.0.1:%d
                    server production 127.0.0.1:%d
                """.formatted(web, backends.web(), redis, backends.redis()));
        Tool tool =
                Tool.start(home, List.of("haproxy", "-db", "-f", "haproxy.cfg")).awaitPort(web);
        return new Subject("haproxy", web, redis, List.of(tool), "");
    }

    public static Subject nginxStream(Path folder, Backends backends) throws IOException {
        int web = FreePorts.next();
        int redis = FreePorts.next();
        Tool tool = Nginx.stream(
                        folder.resolve("nginx-stream"), """
                server { listen 127.0.0.1:%1$d backlog=4096; proxy_pass 127.0.0.1:%2$d; tcp_nodelay on; }
                server { listen 127.0.0.1:%3$d backlog=4096; proxy_pass 127.0.0.1:%4$d; tcp_nodelay on; }
                """.formatted(web, backends.web(), redis, backends.redis()))
                .awaitPort(web);
        return new Subject("nginx stream", web, redis, List.of(tool), "");
    }

    public static Subject toxiproxy(Path folder, Backends backends, String program) throws IOException {
        int web = FreePorts.next();
        int redis = FreePorts.next();
        int control = FreePorts.next();
        Path home = Files.createDirectories(folder.resolve("toxiproxy"));
        Files.writeString(home.resolve("proxies.json"), """
                [{"name": "web", "listen": "127.0.0.1:%d", "upstream": "127.0.0.1:%d", "enabled": true},
                 {"name": "redis", "listen": "127.0.0.1:%d", "upstream": "127.0.0.1:%d", "enabled": true}]
                """.formatted(web, backends.web(), redis, backends.redis()));
        Tool tool = Tool.start(home, List.of(program, "-port", Integer.toString(control), "-config", "proxies.json"))
                .awaitPort(web);
        return new Subject("toxiproxy", web, redis, List.of(tool), "");
    }

    /**
     * A sidecar of its own.
     *
     * @param debugWeb where the copies of web connections go; 0 for no tee
     * @param settings further lines of its settings
     */
    public static Subject sidecar(
            Path folder, Path jar, Backends backends, String name, int debugWeb, int debugRedis, String settings)
            throws IOException {
        Path home = Files.createDirectories(folder.resolve("sidecar-" + name.replace(' ', '-')));
        Files.writeString(home.resolve("sidecar.yaml"), """
                listeners:
                  - { name: web, listen: "127.0.0.1:0", production: "127.0.0.1:%d", protocol: http%s }
                  - { name: redis, listen: "127.0.0.1:0", production: "127.0.0.1:%d", protocol: tcp%s }
                control: { listen: "127.0.0.1:0", anonymous: admin }
                %s
                """.formatted(
                        backends.web(), debug(debugWeb), backends.redis(), debug(debugRedis), settings));
        Tool tool = start(home, jar);
        Matcher ready = READY.matcher(tool.awaitOutput("ready:"));
        if (!ready.find()) {
            throw new IOException("the sidecar " + name + " didn't say where it listens");
        }
        return new Subject(
                name, Integer.parseInt(ready.group(1)), Integer.parseInt(ready.group(2)), List.of(tool), "relay-");
    }

    /**
     * A sidecar with one listener, which stands where others have their web server.
     *
     * @param debug where copies go; 0 for no tee
     */
    public static Subject sidecar(
            Path folder, Path jar, String name, int production, int debug, String protocol, String settings)
            throws IOException {
        Path home = Files.createDirectories(folder.resolve("sidecar-" + name));
        Files.writeString(home.resolve("sidecar.yaml"), """
                listeners:
                  - { name: web, listen: "127.0.0.1:0", production: "127.0.0.1:%d", protocol: %s%s }
                control: { listen: "127.0.0.1:0", anonymous: admin }
                %s
                """.formatted(production, protocol, debug(debug), settings));
        Tool tool = start(home, jar);
        Matcher ready = WEB.matcher(tool.awaitOutput("ready:"));
        if (!ready.find()) {
            throw new IOException("the sidecar " + name + " didn't say where it listens");
        }
        return new Subject(name, Integer.parseInt(ready.group(1)), 0, List.of(tool), "relay-");
    }

    /** With the flags of the launcher and the image. */
    private static Tool start(Path home, Path jar) throws IOException {
        return Tool.start(
                home,
                List.of(
                        "env",
                        "MALLOC_ARENA_MAX=1",
                        java(),
                        "@" + jar.resolveSibling("../jvm.options").normalize(),
                        "-jar",
                        jar.toString(),
                        "sidecar",
                        "--config",
                        "sidecar.yaml"));
    }

    private static String debug(int port) {
        return port == 0 ? "" : ", debug: \"127.0.0.1:" + port + "\"";
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    public CpuTimes cpu() {
        return CpuTimes.of(between.stream().map(Tool::handle).toList());
    }

    /** A sidecar's control port, {@code host:port}. */
    public String control() throws IOException {
        Matcher control = CONTROL.matcher(between.get(0).awaitOutput("ready:"));
        if (!control.find()) {
            throw new IOException(name + " didn't say where its control port is");
        }
        return control.group(1);
    }

    /** The sum of a sidecar's Prometheus samples whose lines begin with {@code name}. */
    public double metric(String name) throws IOException, InterruptedException {
        URI metrics = URI.create("http://" + control() + "/metrics");
        String said = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                .body();
        return said.lines()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Resident memory of the processes in between, in bytes. */
    public long residentBytes() throws IOException {
        long bytes = 0;
        for (Tool tool : between) {
            bytes += Memory.residentBytes(tool.handle());
        }
        return bytes;
    }

    @Override
    public void close() {
        between.forEach(Tool::close);
    }
}
