package dev.understudy.session.bundle;

import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code understudy bundle key}: makes a key to encrypt bundles with, or a pair to sign them. */
@Command(
        name = "key",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Makes a key that bundles are encrypted with. Whoever has it can read them, so pass it on as you pass on"
                    + " passwords.",
            "",
            "With --signing it makes a pair instead: FILE signs bundles, and FILE.pub tells others that it did.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:made", "2:couldn't be written, or is there already"})
public final class BundleKeyCommand implements Callable<Integer> {
    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "The key, a new file that only its owner can read.")
    private Path output = Path.of("");

    @Option(names = "--signing", description = "A pair of keys to sign bundles with.")
    private boolean signing;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (signing) {
            out.println("made " + output + " and " + BundleSignature.createKeys(output));
        } else {
            BundleKey.create(output);
            out.println("made " + output);
        }
        out.flush();
        return Exit.FINE;
    }
}
