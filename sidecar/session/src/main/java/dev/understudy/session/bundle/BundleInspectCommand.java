package dev.understudy.session.bundle;

import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy bundle inspect}: checks a bundle and shows what is in it. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description =
                "Checks all sums of a bundle, and its signature if --signed-by is given, and shows what is in it.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:whole",
            "1:whole, but the end of a recording in it was torn off when that was made",
            "2:damaged or no bundle, encrypted with another key, or not signed by whom it should be"
        })
public final class BundleInspectCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The bundle.")
    private Path file = Path.of("");

    @Mixin
    private BundleTrust trust = new BundleTrust();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        BundleContents contents = BundleContents.read(file, trust);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(contents.json());
        } else {
            contents.text().forEach(out::println);
        }
        out.flush();
        return contents.isWhole() ? Exit.FINE : Exit.ATTENTION;
    }
}
