package dev.understudy.it.fidelity.http;

import dev.understudy.it.fidelity.Side;
import dev.understudy.it.fidelity.Suite;
import dev.understudy.it.fidelity.Transcript;
import dev.understudy.it.fidelity.server.Server;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program curl in many ways of asking; what it prints with {@code -i} counts, but for the time of day. */
public final class Curl implements Suite {
    private static final List<String> WAYS = List.of(
            "/small.txt",
            "/small.txt /lines.txt /empty.txt /small.txt",
            "/with%20space.txt",
            "/missing.txt",
            "/bytes.bin",
            "-I /small.txt",
            "-I /missing.txt",
            "-I /bytes.bin /small.txt",
            "--http1.0 /small.txt",
            "--http1.0 /lines.txt",
            "--compressed /lines.txt",
            "-H Accept-Encoding:gzip /lines.txt",
            "-r 0-99 /bytes.bin",
            "-r -100 /bytes.bin",
            "-r 0-1,5-6 /bytes.bin",
            "-r 9999999- /bytes.bin",
            "-z 2030-01-01 /small.txt",
            "-z 1990-01-01 /small.txt",
            "-H If-None-Match:* /small.txt",
            "-H If-Match:\"no\" /small.txt",
            "/moved",
            "-L /moved",
            "-L /moved-for-good",
            "-L --data x=1 /kept",
            "/nothing",
            "/nothing /small.txt",
            "/bad",
            "/broken",
            "/cookie",
            "-b a=7 /cookie",
            "-u user:secret /told",
            "-H X-Told:7 /told",
            "-A other /told",
            "-H Accept:application/json /told?a=1&b=2",
            "/told?a=%20b+c",
            "-X DELETE /told",
            "-X PATCH -d {} /told",
            "-X OPTIONS /small.txt",
            "-X PUT -d x /small.txt",
            "-d a=1 -d b=2 /post",
            "-d a=1 /post /post",
            "-H Content-Type:application/json -d {\"a\":1} /post",
            "-H Expect:100-continue -d a=1 /post",
            "-F part=@FILE /post",
            "--data-binary @FILE /post",
            "-H Transfer-Encoding:chunked -d @FILE /post",
            "-T FILE /post",
            "-d @FILE /too-large",
            "-H Connection:close /small.txt",
            "--no-keepalive /small.txt /small.txt",
            "/number",
            "/number /number");

    @Override
    public String name() {
        return "curl";
    }

    @Override
    public String about() {
        return "curl -i, " + WAYS.size() + " command lines; an operation is one of them";
    }

    @Override
    public Server.Kind server() {
        return Server.Kind.HTTP;
    }

    @Override
    public List<String> programs() {
        return List.of("curl", "nginx");
    }

    @Override
    public void prepare(Server server) {
        // its files are there
    }

    @Override
    public void run(Side side) throws Exception {
        Path file = Files.writeString(side.folder().resolve("upload"), "line\n".repeat(20_000));
        for (String way : WAYS) {
            side.transcript().add("curl " + way, () -> Transcript.result(curl(way, side.port(), file)));
        }
    }

    private static String curl(String way, int port, Path file) throws Exception {
        List<String> command = new ArrayList<>(List.of("curl", "-s", "-i", "--max-time", "20"));
        for (String word : way.split(" ", -1)) {
            command.add(
                    word.startsWith("/") ? "http://127.0.0.1:" + port + word : word.replace("FILE", file.toString()));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        return HttpText.steady(said, port) + "exit " + process.waitFor();
    }
}
