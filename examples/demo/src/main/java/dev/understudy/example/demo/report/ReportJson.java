package dev.understudy.example.demo.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.example.demo.load.Tally;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The report as a program reads it. */
public final class ReportJson {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private ReportJson() {}

    public static void write(Path file, Findings found, List<Check> checks, Defect defect) throws IOException {
        ObjectNode report = JSON.createObjectNode();
        report.put("held", checks.stream().allMatch(Check::held));
        report.set("checks", JSON.valueToTree(checks));
        ObjectNode shown = JSON.valueToTree(defect);
        report.set("defect", shown.put("found", defect.isFound()));
        report.set("clients", clients(found));
        report.put("catchUpSeconds", found.catchUpSeconds());
        report.set("sidecar", found.sidecar());
        report.set("verdicts", found.verdicts());
        report.set("agents", found.agents());
        report.set("aggregator", found.aggregator());
        report.set("misses", found.misses());
        report.set("upstreams", JSON.valueToTree(found.upstreams()));
        JSON.writeValue(file.toFile(), report);
    }

    private static ObjectNode clients(Findings found) {
        Tally tally = found.clients();
        ObjectNode clients = JSON.createObjectNode()
                .put("answered", tally.answered())
                .put("failed", tally.failed())
                .put("seconds", found.loadSeconds())
                .put("bytesSent", tally.sent())
                .put("bytesReceived", tally.received());
        clients.set("failures", JSON.valueToTree(tally.failures()));
        clients.set("statuses", JSON.valueToTree(tally.statuses()));
        ObjectNode millis = clients.putObject("latencyMillis");
        for (double percentile : new double[] {50, 90, 99, 99.9, 100}) {
            millis.put("p" + percentile, tally.millis(percentile));
        }
        return clients;
    }
}
