package dev.understudy.example.demo;

import dev.understudy.example.demo.load.Load;
import dev.understudy.example.demo.load.Tally;
import dev.understudy.example.demo.report.CatchUp;
import dev.understudy.example.demo.report.Check;
import dev.understudy.example.demo.report.Checks;
import dev.understudy.example.demo.report.ControlPort;
import dev.understudy.example.demo.report.Defect;
import dev.understudy.example.demo.report.Findings;
import dev.understudy.example.demo.report.Investigation;
import dev.understudy.example.demo.report.ReportJson;
import dev.understudy.example.demo.report.ReportText;
import dev.understudy.example.demo.stage.Addresses;
import dev.understudy.example.demo.stage.Cast;
import dev.understudy.example.demo.stage.Stage;
import dev.understudy.example.demo.stage.StartFailed;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run: start everything, send requests, let the debug side catch up, look for the defect, judge, report. */
final class Performance {
    private static final Duration CATCH_UP = Duration.ofMinutes(3);

    private final Stage stage;
    private final Narrator narrator;
    private final Load load;
    private final int requests;

    Performance(Stage stage, Narrator narrator, int requests, int clients, long seed, double rate) {
        this.stage = stage;
        this.narrator = narrator;
        this.requests = requests;
        this.load = new Load(stage.addresses().sidecar(), requests, clients, seed, rate);
    }

    /** Whether all invariants held and the defect was found. */
    boolean run(@Nullable Path json) throws StartFailed, InterruptedException, IOException, SQLException {
        Cast cast = stage.open(part -> narrator.say("starting " + part));
        Addresses at = stage.addresses();

        narrator.say("sending " + requests + " requests of several customers through the sidecar at " + at.front());
        long begun = System.nanoTime();
        Tally clients = load.run(done -> narrator.progress("requests", done, requests));
        double loadSeconds = (System.nanoTime() - begun) / 1e9;

        narrator.say("waiting for the debug JVM to catch up");
        begun = System.nanoTime();
        CatchUp catchUp = new CatchUp(new ControlPort(at.sidecarControlUrl()));
        boolean caughtUp = catchUp.await(CATCH_UP, owed -> narrator.status(owed + " exchanges behind"));
        double catchUpSeconds = (System.nanoTime() - begun) / 1e9;
        narrator.say(caughtUp ? "it has; looking for the defect" : "it hasn't; looking for the defect all the same");
        Defect defect = new Investigation(new ControlPort(at.sidecarControlUrl()), () -> {
                    clients.add(load.complaint());
                    catchUp.await(CATCH_UP, owed -> {});
                })
                .run();

        narrator.say("asking everybody how it went");

        Findings found = Findings.gather(cast, at, clients, loadSeconds, catchUpSeconds);
        List<Check> checks = Checks.judge(found);
        narrator.print(ReportText.of(found, checks));
        if (json != null) {
            ReportJson.write(json, found, checks, defect);
        }
        narrator.print(defect.lines(at.sidecarControlUrl()));
        boolean held = checks.stream().allMatch(Check::held);
        narrator.print(List.of(
                "",
                (held ? "All invariants held" : "NOT all invariants held")
                        + (defect.isFound() ? ", and the defect was found." : ", and the defect was NOT found.")));
        return held && defect.isFound();
    }
}
