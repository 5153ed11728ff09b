package dev.understudy.session.plan;

import dev.understudy.session.target.ContainerFacts;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.session.target.engine.ContainerSearch;
import dev.understudy.session.target.guess.CommandUpstreams;
import dev.understudy.session.target.survey.NoJvm;
import dev.understudy.session.target.survey.SurveyOptions;
import dev.understudy.session.target.survey.TargetSurveyor;
import java.util.List;
import java.util.Map;

/** Finds what the options name, and surveys it. Changes nothing. */
public final class TargetLookup {
    private TargetLookup() {}

    /**
     * Finds and surveys it; may wait some seconds.
     *
     * @throws TargetException if the options name nothing, or nothing that can be debugged; with the way out
     */
    public static PlannedTarget find(TargetOptions options) throws TargetException, InterruptedException {
        for (Map.Entry<Integer, String> chosen : options.protocols().entrySet()) {
            if (chosen.getKey() <= 0
                    || chosen.getKey() > 0xffff
                    || !TargetOptions.PROTOCOLS.contains(chosen.getValue())) {
                throw new TargetException("--protocol: " + chosen.getKey() + "=" + chosen.getValue()
                        + " (expected: a port from 1 to 65535, and http, postgres, mysql, redis or tcp)");
            }
        }
        TargetSurveyor surveyor = new TargetSurveyor(
                new SurveyOptions(options.protocols(), options.probesUpstreams(), options.upstreams()));
        PlannedTarget found = find(options, surveyor);
        TargetSurvey survey = found.survey();
        LiveUpstreams.check(survey == null ? found.upstreams() : survey.upstreams());
        return found;
    }

    private static PlannedTarget find(TargetOptions options, TargetSurveyor surveyor)
            throws TargetException, InterruptedException {
        Long pid = options.pid();
        if (pid != null) {
            return new PlannedTarget("process " + pid, surveyor.survey(pid), null, List.of());
        }
        String name = options.container();
        if (name != null) {
            return inside(new ContainerSearch().container(name), surveyor);
        }
        String service = options.compose();
        if (service != null) {
            return inside(new ContainerSearch().service(service), surveyor);
        }
        if (options.command().isEmpty()) {
            throw new TargetException(
                    "no target (expected: --pid PID, --container NAME, --compose SERVICE, or -- COMMAND)");
        }
        return new PlannedTarget(
                "a new process",
                null,
                null,
                CommandUpstreams.of(options.upstreams(), options.protocols(), options.command()),
                options.command());
    }

    private static PlannedTarget inside(ContainerFacts container, TargetSurveyor surveyor)
            throws TargetException, InterruptedException {
        String name = "container " + container.name();
        long pid = NoJvm.find(container.pid(), name);
        return new PlannedTarget(name, surveyor.survey(pid), container, List.of());
    }
}
