package dev.understudy.standin.command;

import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.SettingConverter;
import dev.understudy.standin.learn.LearnOptions;
import dev.understudy.standin.learn.LearnResult;
import dev.understudy.standin.learn.ServiceLearner;
import dev.understudy.standin.model.ModelFile;
import dev.understudy.standin.model.ServiceModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy standin learn}: makes a model of a recording. */
@Command(
        name = "learn",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        exitCodeOnExecutionException = Exit.WRONG,
        description = {
            "Learns a model from a recording of what a service was asked and answered by HTTP/1.1.",
            "",
            "Record at medium load: at low load no limit shows, and at high load waiting hides what takes time.",
            ""
        })
public final class StandInLearnCommand implements Callable<Integer> {
    @Parameters(paramLabel = "RECORDING", description = "A file of understudy record.")
    private Path recording = Path.of("");

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "Where the model is written.")
    private Path out = Path.of("");

    @Option(
            names = "--service",
            defaultValue = "service",
            paramLabel = "NAME",
            description = "The service's name (default: ${DEFAULT-VALUE}).")
    private String service = "service";

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "How many requests it works on at the same time, 0 for no limit (default: found from "
                    + "requests that waited).")
    private @Nullable Integer workers;

    @Option(
            names = "--processor-seconds",
            defaultValue = "0",
            paramLabel = "SECONDS",
            description = "Processor time that the service used during the recording, such as the increase of "
                    + "process_cpu_seconds_total. Without it the stand-in waits instead of computing.")
    private double processorSeconds;

    @Option(
            names = "--allocated",
            paramLabel = "SIZE",
            converter = SettingConverter.Bytes.class,
            description = "What it allocated meanwhile, such as 12GiB. Without it the stand-in allocates nothing more.")
    private long allocated;

    @Option(
            names = "--skip",
            paramLabel = "TIME",
            converter = SettingConverter.Time.class,
            description = "Leave out the first part of the recording, such as 20s while the service warms up. "
                    + "Processor time and allocation are those of the rest.")
    private Duration skip = Duration.ZERO;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try {
            LearnResult learned = ServiceLearner.learn(recording, options());
            ModelFile.write(learned.model(), out);
            PrintWriter text = spec.commandLine().getOut();
            ServiceModel model = learned.model();
            text.println(model.exchanges() + " exchanges, " + model.routes().size() + " routes; "
                    + (model.workers() == 0 ? "no limit of workers seen" : model.workers() + " workers"));
            learned.notes().forEach(note -> text.println("note: " + note));
            if (processorSeconds == 0) {
                text.println("note: without --processor-seconds the stand-in waits instead of computing");
            }
            text.println("the model is in " + out);
            text.flush();
            return Exit.FINE;
        } catch (IOException notToBeHad) {
            err.println("understudy standin learn: " + notToBeHad.getMessage());
            err.flush();
            return Exit.WRONG;
        }
    }

    private LearnOptions options() {
        Integer count = workers;
        if (count != null && (count < 0 || count > ServiceModel.MOST_WORKERS)) {
            throw wrong("--workers " + count + " (expected: 0 to " + ServiceModel.MOST_WORKERS + ")");
        }
        if (!(processorSeconds >= 0) || Double.isInfinite(processorSeconds)) {
            throw wrong("--processor-seconds " + processorSeconds + " (expected: >= 0)");
        }
        if (service.isBlank()) {
            throw wrong("--service \"\" (expected: a name)");
        }
        return new LearnOptions(service, count, processorSeconds, allocated, skip);
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
