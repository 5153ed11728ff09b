package dev.understudy.it.bench.load;

import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;

/**
 * A workload that runs through production's port first, where it isn't measured, if what is measured is the debug port.
 *
 * @param replayed the debug port
 */
public record AfterRecording(Workload workload, Subject production, Subject replayed) implements Workload {
    @Override
    public String name() {
        return workload.name();
    }

    @Override
    public String unit() {
        return workload.unit();
    }

    @Override
    public Sample run(Subject subject) throws IOException, InterruptedException {
        if (subject.equals(replayed)) {
            workload.run(production);
        }
        return workload.run(subject);
    }
}
