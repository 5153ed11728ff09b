package dev.understudy.it.bench.load;

import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;

/** One long download after another on one connection; an operation is a KiB. */
public record Bulk(String name, int downloads) implements Workload {
    @Override
    public String unit() {
        return "KiB";
    }

    @Override
    public Sample run(Subject subject) throws IOException {
        try (HttpClient client = new HttpClient(subject.web(), Ask.get("/bulk"))) {
            client.ask();
            Sample.Meter meter = Sample.begin(subject);
            long bytes = 0;
            for (int n = 0; n < downloads; n++) {
                bytes += client.ask();
            }
            return meter.end(bytes / 1024, 0, null);
        }
    }
}
