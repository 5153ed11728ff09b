package dev.understudy.session.bundle;

import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.relay.stream.OwnerOnly;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.report.RecordingFilter;
import dev.understudy.sidecar.command.report.ReplyConditionWord;
import dev.understudy.sidecar.config.NoiseFile;
import dev.understudy.sidecar.label.ReplyCondition;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.reduce.FailingSessions;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code understudy bundle create}: makes one file of a recording and the upstreams' recorded replies. */
@Command(
        name = "create",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Makes one file of a recording of clients' traffic and of an aggregator's recorded replies, if there are"
                    + " any.",
            "",
            "What is in it is as captured: what was masked at capture is masked, passwords and cookies aren't. Only"
                    + " the owner can read the file; --encrypt encrypts it. Of the recording some connections can be"
                    + " chosen; the journal is always whole. Replies that a debug JVM was given already aren't in it"
                    + " any more.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:made", "2:couldn't be made, or wrong options"})
public final class BundleCreateCommand implements Callable<Integer> {
    @Option(
            names = "--recording",
            required = true,
            paramLabel = "FILE",
            description = "A recording of clients' traffic, as record makes it.")
    private Path recording = Path.of("");

    @Mixin
    private RecordingFilter filter = new RecordingFilter();

    @Option(
            names = "--fails",
            paramLabel = "CONDITION",
            converter = ReplyConditionWord.class,
            description = "Only connections with a reply of which that holds, as for reduce, and earlier ones with the"
                    + " same cookies. Named again, all must hold of one reply. HTTP/1.x only.")
    private @Nullable List<ReplyCondition> fails;

    @Option(
            names = "--journal",
            paramLabel = "DIRECTORY",
            description =
                    "journal.disk-directory of the aggregator, once that was stopped; or a copy. None for a service"
                            + " that calls no upstream.")
    private @Nullable Path journal;

    @Option(
            names = "--config",
            defaultValue = "aggregator.yaml",
            paramLabel = "FILE",
            description = "The aggregator's settings (default: ${DEFAULT-VALUE}). Of them, names, protocols, addresses"
                    + " and forms of the upstreams are taken; no certificates, no tokens.")
    private Path config = Path.of("aggregator.yaml");

    @Option(
            names = "--noise",
            paramLabel = "FILE",
            description = "Noise rules, as noise export writes them; replay overlooks what they allow.")
    private @Nullable Path noise;

    @Option(
            names = "--encrypt",
            paramLabel = "FILE",
            description = "Encrypts the bundle with this key, as bundle key makes it.")
    private @Nullable Path key;

    @Option(
            names = "--sign",
            paramLabel = "FILE",
            description = "Signs the bundle with this private key: Ed25519 in PEM, as bundle key --signing makes it.")
    private @Nullable Path signer;

    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "The bundle, a new file.")
    private Path output = Path.of("");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        BundleUpstreams upstreams =
                journal == null ? BundleUpstreams.NONE : BundleUpstreams.ofSettings(existing(config));
        Contents traffic = Contents.read(existing(recording));
        Set<Long> chosen = chosen(traffic);
        if (chosen.isEmpty()) {
            throw new BundleException(recording + ": "
                    + (traffic.connections().isEmpty() ? "no connections in it" : "none of its connections is chosen")
                    + " (expected: recorded traffic)");
        }
        boolean all = chosen.size() == traffic.connections().size();
        if (!all && traffic.torn() != null) {
            throw new BundleException(recording + ": torn, so a chosen connection may lack its end: " + traffic.torn()
                    + " (expected: all connections of it, of which the bundle then says so)");
        }
        try (BundleFolder folder = BundleFolder.open()) {
            return create(upstreams, all ? recording : part(chosen, folder));
        }
    }

    private Set<Long> chosen(Contents traffic) throws IOException {
        List<Contents.Summary> taken = traffic.connections().stream()
                .filter(connection -> filter.takes(traffic, connection))
                .toList();
        return fails == null
                ? taken.stream().map(Contents.Summary::id).collect(Collectors.toSet())
                : FailingSessions.find(recording, taken, fails);
    }

    /** A recording of the chosen connections alone. */
    private Path part(Set<Long> chosen, BundleFolder folder) throws IOException {
        Path part = folder.recording();
        try (RecordingReader all = RecordingReader.open(recording);
                WritableByteChannel to = Files.newByteChannel(
                        part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnerOnly.file())) {
            all.copy(chosen::contains, to);
        }
        return part;
    }

    private int create(BundleUpstreams upstreams, Path traffic) throws IOException {
        BundleWriter writer = new BundleWriter();
        if (key != null) {
            writer.encryptWith(BundleKey.read(existing(key)));
        }
        if (signer != null) {
            writer.signWith(BundleSignature.privateKey(existing(signer)));
        }
        writer.add(BundleLimits.RECORDING, traffic);
        writer.add(BundleLimits.UPSTREAMS, upstreams.json());
        if (noise != null) {
            List<NoiseRule> rules = NoiseFile.read(existing(noise));
            if (!rules.isEmpty()) {
                writer.add(BundleLimits.NOISE, noise);
            }
        }
        if (journal != null) {
            BundleSources.addJournals(writer, journal, upstreams);
        }
        writer.write(output, Clock.systemUTC().instant(), new Exit.Version().getVersion()[0]);
        BundleContents made;
        try {
            made = BundleContents.read(output, new BundleTrust(key, null));
        } catch (IOException | RuntimeException unreadable) {
            Files.deleteIfExists(output);
            throw unreadable;
        }
        made.text().forEach(spec.commandLine().getOut()::println);
        spec.commandLine().getOut().flush();
        return Exit.FINE;
    }

    private static Path existing(Path file) throws BundleException {
        if (!Files.isRegularFile(file)) {
            throw new BundleException(file + ": no such file");
        }
        return file;
    }
}
