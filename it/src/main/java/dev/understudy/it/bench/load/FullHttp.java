package dev.understudy.it.bench.load;

import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** As many requests as 64 keep-alive connections can make (closed loop), by wrk. */
public record FullHttp(String name, String path, int seconds) implements Workload {
    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");

    @Override
    public Sample run(Subject subject) throws IOException, InterruptedException {
        wrk(subject, 1);
        Sample.Meter meter = Sample.begin(subject);
        return meter.end(wrk(subject, seconds), 0, null);
    }

    private long wrk(Subject subject, int lasting) throws IOException, InterruptedException {
        String said = Shell.run(List.of(
                "wrk",
                "--threads",
                "1",
                "--connections",
                "64",
                "--duration",
                lasting + "s",
                "http://127.0.0.1:" + subject.web() + path));
        Matcher requests = REQUESTS.matcher(said);
        if (!requests.find() || said.contains("Socket errors") || said.contains("Non-2xx")) {
            throw new IOException("wrk against " + subject.name() + ":\n" + said);
        }
        return Long.parseLong(requests.group(1));
    }
}
